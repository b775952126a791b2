import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SessionView, UserView } from '@tripline/proto/http/auth'
import { KeyView } from '@tripline/proto/http/key'
import { type Answered, type Call, patientCallerOf, type Sent } from '@tripline/testkit/people/caller'
import { logIn, newEmail, newPerson, type Person, profile } from '@tripline/testkit/people/person'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { waitFor } from '@tripline/testkit/wait-for'
import { type OpenStream, openStream } from './open-stream.ts'

/** The facts that somebody may guess of somebody else. */
interface Target {
  email: string
  sessionId: string
  botId: string
  label: string
  executionId: string
}

const password = 'correct horse battery staple'
const credentials = { api_key: 'k'.repeat(64), api_secret: 's' }

/**
 * Bob's requests to guess the target's things; of the query the part that the path names stands there, the rest behind
 * it.
 */
const cases: Record<string, (target: Target) => Sent & { query?: object }> = {
  'POST /api/auth/register': ({ email }) => ({ body: { ...profile, username: 'bob', email, password } }),
  'POST /api/auth/login': ({ email }) => ({ body: { email, password: 'a guess' } }),
  'POST /api/auth/refresh': ({ sessionId }) => ({
    body: { refresh_token: `${sessionId}.0.${'A'.repeat(43)}` },
  }),
  'POST /api/auth/logout': () => ({}),
  'POST /api/auth/verify-email': ({ sessionId }) => ({ body: { token: sessionId, password } }),
  'POST /api/auth/verify-email/resend': ({ email }) => ({ body: { email } }),
  'POST /api/auth/password-reset/request': ({ email }) => ({ body: { email } }),
  'POST /api/auth/password-reset/confirm': ({ sessionId }) => ({
    body: { token: sessionId, new_password: password },
  }),
  'GET /api/auth/sessions': () => ({}),
  'DELETE /api/auth/sessions': () => ({}),
  'DELETE /api/auth/sessions/{id}': ({ sessionId }) => ({ query: { id: sessionId } }),
  'POST /api/waitlist': ({ email }) => ({ body: { email } }),
  'GET /api/users/me': ({ email }) => ({ query: { email } }),
  'GET /api/keys': ({ label }) => ({ query: { label } }),
  'PUT /api/keys/{id}': ({ botId }) => ({ query: { id: botId }, body: { label: 'Stolen' } }),
  'DELETE /api/keys/{id}': ({ botId }) => ({ query: { id: botId } }),
  'POST /api/keys/{id}/test': ({ botId }) => ({ query: { id: botId } }),
  'POST /api/keys/{id}/reset': ({ botId }) => ({ query: { id: botId } }),
  'GET /api/keys/{id}/trading': ({ botId }) => ({ query: { id: botId } }),
  'PUT /api/keys/{id}/trading': ({ botId }) => ({ query: { id: botId }, body: { state: 'halted' } }),
  'GET /api/keys/{id}/close-only': ({ botId }) => ({ query: { id: botId } }),
  'POST /api/keys/{id}/close-only': ({ botId }) => ({ query: { id: botId } }),
  'POST /api/keys/{id}/close-only/regenerate': ({ botId }) => ({
    query: { id: botId },
    body: { confirm: true },
  }),
  'DELETE /api/keys/{id}/close-only': ({ botId }) => ({ query: { id: botId } }),
  'GET /api/keys/addresses': () => ({}),
  'GET /api/accounts': ({ botId }) => ({ query: { api_key_id: botId } }),
  'GET /api/trading-state': () => ({}),
  'PUT /api/trading-state': () => ({ body: { state: 'halted' } }),
  'GET /api/notifications': () => ({}),
  'PUT /api/notifications': () => ({ body: { telegram_enabled: true, telegram_chat_id: null } }),
  'POST /api/notifications/test': () => ({}),
  'GET /api/webhook-config': () => ({}),
  'PUT /api/webhook-config': () => ({ body: { is_active: false } }),
  'POST /api/webhook-config/regenerate': () => ({ body: { confirm: true } }),
  'GET /api/webhook-config/usage': () => ({}),
  'GET /api/webhook-executions': ({ label, executionId }) => ({
    query: { api_key_label: label, cursor: executionId },
  }),
  'GET /api/webhook-executions/summary': ({ label }) => ({ query: { api_key_label: label } }),
  'GET /api/webhook-executions/sums': ({ label }) => ({ query: { api_key_label: label } }),
  'GET /api/webhook-executions/export': ({ label }) => ({ query: { api_key_label: label, format: 'json' } }),
  'GET /api/webhook-executions/{id}': ({ executionId }) => ({ query: { id: executionId } }),
  'GET /api/receipts': () => ({}),
  'GET /api/receipts/export': () => ({}),
  'POST /api/commands/preview': ({ label }) => ({
    body: { message: `${label}(BTCUSDT) { market(buy, 1) }` },
  }),
  'GET /api/health': () => ({}),
  // The last: from here on Bob has keys of these labels himself.
  'POST /api/keys': ({ label }) => ({
    body: { label, exchange: 'binance', market_type: 'spot', ...credentials },
  }),
}
const streams = ['GET /api/events/public-stream', 'GET /api/events/stream']
/** The answers to Bob's refused requests; a thing by its id is never there for him. */
const refusals: Record<string, number> = {
  'POST /api/auth/login': 401,
  'POST /api/auth/refresh': 401,
  'POST /api/auth/verify-email': 400,
  'POST /api/auth/password-reset/confirm': 400,
  'POST /api/notifications/test': 409,
}

let product: Product
let call: Call
let ada: Person
let bob: Person
let adas: Target
/** The texts that only Ada may see. */
let marks: string[]
let webhooks: { ada: string; bob: string }
let adasAlerts = 0

beforeAll(async () => {
  // No event is left out, so that it is known when all have come.
  product = await startProduct({ ephemeral: true, env: { PUBLIC_EVENTS_PER_SECOND: '1000' } })
  call = patientCallerOf(product.urls.web)
  ;[ada, bob] = await Promise.all([newPerson(product.urls.web), newPerson(product.urls.web)])
  const { body: config } = await asAda('PUT /api/webhook-config', { body: { max_requests_per_minute: 59 } })
  const { body: other } = await call('GET /api/webhook-config', { token: bob.tokens.access_token })
  webhooks = { ada: config.webhook_url, bob: other.webhook_url }
  const bot = await link(ada, 'Adas-Own-Bot')
  await link(ada, 'Shared name')
  await link(bob, 'Shared name')
  await asAda(`PUT /api/keys/${bot.id}/trading`, { body: { max_order_value: '777654.32' } })
  await asAda('PUT /api/notifications', { body: { telegram_chat_id: '-100777888' } })
  const closeOnly = await asAda(`POST /api/keys/${bot.id}/close-only`)
  expect(closeOnly.status).toBe(201)
  const alert = await send(webhooks.ada, 'Adas-Own-Bot(BTCUSDT) { market(buy, 0.0173) }')
  expect(alert.body).toMatchObject({ status: 'success' })
  const me = UserView.parse((await asAda('GET /api/users/me')).body)
  const [session] = SessionView.array().parse((await asAda('GET /api/auth/sessions')).body)
  adas = {
    email: ada.email,
    sessionId: session?.id ?? '',
    botId: bot.id,
    label: bot.label,
    executionId: alert.body.execution_id,
  }
  const tokens = [webhooks.ada, `${closeOnly.body.webhook_url}`].map((url) =>
    url.slice(url.lastIndexOf('/') + 1),
  )
  const settings = ['777654.32', '-100777888', 'buy, 0.0173', bot.api_key_preview, ...tokens]
  marks = [...Object.values(adas), me.id, alert.body.alert_id, ...settings]
}, 120_000)
afterAll(async () => await product.stop())

async function asAda(route: string, sent: Sent = {}): Promise<Answered> {
  return await call(route, { token: ada.tokens.access_token, ...sent })
}

async function link({ tokens }: Person, label: string): Promise<KeyView> {
  const body = { label, exchange: 'paper' }
  return KeyView.parse((await call('POST /api/keys', { token: tokens.access_token, body })).body)
}

/** Sends an alert, and waits until all of it is done. */
async function send(webhookUrl: string, message: string): Promise<Answered> {
  if (webhookUrl === webhooks.ada) adasAlerts++
  return await call(`POST ${new URL(webhookUrl).pathname}?wait=20000`, { raw: message })
}

/** A target without an owner, with values as long as the real ones. */
function nobodys(): Target {
  return {
    email: newEmail(),
    sessionId: randomUUID(),
    botId: randomUUID(),
    label: 'Xqzj-Vwk-Ghp',
    executionId: '01ARZ3NDEKTSV4RRFFQ69G5FAV-0',
  }
}

/** Makes the call of a case as Bob; returns the answer without what differs each time or was sent. */
async function guess(route: string, target: Target): Promise<{ status: number; text: string }> {
  const { query = {}, ...sent } = cases[route]?.(target) ?? {}
  const [path, asked] = addressOf(route, query)
  const { access_token: token } =
    route === 'POST /api/auth/logout' ? await logIn(product.urls.web, bob) : bob.tokens
  const { status, text } = await call(`${path}${asked}`, { token, ...sent })
  const answered = Object.entries(target).reduce(
    (rest, [name, value]) => rest.replaceAll(value, `<${name}>`),
    text,
  )
  return { status, text: answered.replaceAll(volatile, '<any>') }
}

/** Ids, moments and tokens that are new in each answer. */
const volatile = /[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=\/webhook\/)[\w-]+/g

function addressOf(route: string, query: object): [path: string, asked: string] {
  const asked = new URLSearchParams(Object.entries(query))
  const path = route.replace(/\{(\w+)\}/, (_all, name) => {
    const value = asked.get(name) ?? ''
    asked.delete(name)
    return value
  })
  return [path, asked.size === 0 ? '' : `?${asked}`]
}

describe('the streams', () => {
  const open: OpenStream[] = []
  afterAll(() => {
    for (const stream of open) stream.close()
  })

  const listen = async (path: string, { tokens }: Person, headers = {}): Promise<OpenStream> => {
    const authorization = `Bearer ${tokens.access_token}`
    const stream = await openStream(new URL(path, product.urls.web), { ...headers, authorization })
    expect(stream.status).toBe(200)
    open.push(stream)
    return stream
  }

  test("show nothing of another user's alerts, live or replayed", async () => {
    const own = await listen('/api/events/stream', ada)
    const bobs = await listen('/api/events/stream', bob)
    const replay = await listen('/api/events/stream', bob, { 'last-event-id': '0' })
    const everybodys = await listen('/api/events/public-stream', bob)
    const { body } = await send(webhooks.ada, 'Adas-Own-Bot(SOLUSDT) { market(buy, 1.73) }')
    expect(body).toMatchObject({ status: 'success' })
    const after = await send(webhooks.bob, 'Shared name(XRPUSDT) { market(buy, 17.3) }')
    // Events come in order, so what was to come of Ada's is there by then.
    const isDisclosed = (text: string): boolean =>
      text.includes(after.body.execution_id) && /"phase":"done"/.test(text)
    await waitFor(() => isDisclosed(bobs.text()) && isDisclosed(replay.text()))
    await waitFor(() => /XRPUSDT.*"phase":"done"/.test(everybodys.text()))

    const secrets = [...marks, body.alert_id, 'buy 1.73', 'SOLUSDT']
    expect(own.text()).toContain(body.alert_id)
    for (const stream of [bobs, replay]) {
      for (const secret of secrets) expect(stream.text()).not.toContain(secret)
    }
    const { result } = after.body.results[0].results[0]
    // Times are whole numbers there, so no part of one looks like a size or a price.
    const bobsOwn = [after.body.alert_id, 'Shared name', '17.3', String(result.price), bob.email]
    const hidden = [...secrets.filter((secret) => secret !== 'SOLUSDT'), '1.73', ...bobsOwn]
    for (const secret of hidden) expect(everybodys.text()).not.toContain(secret)
    expect(everybodys.text()).toContain('SOLUSDT')
  })

  test('are not opened without a session, and end with it', async () => {
    const nobody = await openStream(new URL('/api/events/stream', product.urls.web))
    expect(nobody.status).toBe(401)
    const tokens = await logIn(product.urls.web, bob)
    const stream = await listen('/api/events/stream', { ...bob, tokens })
    await call('POST /api/auth/logout', { token: tokens.access_token })
    await waitFor(() => stream.hasEnded())
  })
})

describe('the webhook', () => {
  test("reads another's label as one that is unknown, and suggests nothing of it", async () => {
    const [real, made] = [adas.label, nobodys().label].map((label) => `${label}(BTCUSDT) { market(buy, 1) }`)
    const [guessed, unknown] = [await send(webhooks.bob, real ?? ''), await send(webhooks.bob, made ?? '')]
    expect([guessed.status, unknown.status]).toEqual([400, 400])
    expect(guessed.body.diagnostics[0].suggestion).toBe(unknown.body.diagnostics[0].suggestion)
  })

  test('keeps ids and bots of the same name apart', async () => {
    const message = '@id same\nShared name(ETHUSDT) { market(buy, 0.1) }'
    const [first, second] = [await send(webhooks.ada, message), await send(webhooks.bob, message)]
    for (const { body } of [first, second]) expect(body).toMatchObject({ status: 'success' })
    expect(second.body.duplicate).toBeUndefined()
    expect(second.body.alert_id).not.toBe(first.body.alert_id)
    expect((await send(webhooks.bob, message)).body).toMatchObject({
      duplicate: true,
      alert_id: second.body.alert_id,
    })
  })
})

describe('the calls', () => {
  beforeAll(async () => {
    // Ada's history is at rest from here on.
    await waitFor(async () => {
      const { executions } = (await asAda('GET /api/webhook-executions')).body
      const isFinal = ({ overall_status }: { overall_status: string }): boolean =>
        overall_status !== 'running'
      return executions.length === adasAlerts && executions.every(isFinal)
    })
  })

  test('have a case each, for every route of the document', async () => {
    const { paths } = (await call('GET /api/openapi.json')).body
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect([...Object.keys(cases), ...streams].toSorted()).toEqual(routes.toSorted())
  })

  test('show Ada her own data, so that a leak would be found', async () => {
    const own = [
      'GET /api/users/me',
      'GET /api/auth/sessions',
      'GET /api/keys',
      `GET /api/keys/${adas.botId}/trading`,
      `GET /api/keys/${adas.botId}/close-only`,
      'GET /api/notifications',
      'GET /api/webhook-config',
      `GET /api/webhook-executions/${adas.executionId}`,
      'GET /api/receipts',
    ]
    const texts = await Promise.all(own.map(async (route) => (await asAda(route)).text))
    const found = marks.filter((mark) => texts.some((text) => text.includes(mark)))
    expect(found).toEqual(marks)
  })

  test.each(Object.keys(cases))('%s shows Bob nothing of Ada', async (route) => {
    const before = await everythingOfAda()
    const [real, made] = [await guess(route, adas), await guess(route, nobodys())]
    const refusal = route.includes('{id}') ? 404 : refusals[route]
    if (refusal !== undefined) expect(real.status).toBe(refusal)
    // The health of the services is the same for everybody, and may change.
    else if (route !== 'GET /api/health') expect(real.status).toBeLessThan(300)
    // Bob's own acts may differ from one call to the next.
    if (Object.keys(cases[route]?.(adas) ?? {}).length > 0) expect(real).toEqual(made)
    for (const mark of marks) expect(real.text).not.toContain(mark)
    expect(await everythingOfAda()).toEqual(before)
  })

  /** Returns Ada's things, as she sees them. */
  async function everythingOfAda(): Promise<unknown[]> {
    const routes = [
      'GET /api/users/me',
      'GET /api/keys',
      `GET /api/keys/${adas.botId}/trading`,
      'GET /api/trading-state',
      'GET /api/notifications',
      'GET /api/webhook-config',
      'GET /api/webhook-executions',
      'GET /api/auth/sessions',
    ]
    const answers = await Promise.all(routes.map(async (route) => await asAda(route)))
    expect(answers.map(({ status }) => status)).toEqual(routes.map(() => 200))
    return answers.map(({ body }) => body)
  }
})
