import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Bus, connectBus, flush, subscribe } from '@tripline/kit/bus/bus'
import { TokenPair } from '@tripline/proto/http/auth'
import { freePort } from '@tripline/testkit/infra/free-port'
import { testLog } from '@tripline/testkit/log'
import { paperControl } from '@tripline/testkit/paper-control'
import {
  type Answered,
  type Call,
  callerOf,
  patientCallerOf,
  type Sent,
} from '@tripline/testkit/people/caller'
import { newEmail, profile } from '@tripline/testkit/people/person'
import { mailedToken } from '@tripline/testkit/people/verify-email'
import { localKeys } from '@tripline/testkit/stack/local-keys'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { type ServiceName, serviceNames } from '@tripline/testkit/stack/services'
import { type TestTelegram, telegram } from '@tripline/testkit/telegram'
import { waitFor } from '@tripline/testkit/wait-for'
import { type OpenStream, openStream } from './open-stream.ts'
import { locationsOf, logTraces, redisTraces, streamTraces, type Trace, tableTraces } from './traces.ts'

const newMark = (kind: string): string => `CANARY${kind}${randomBytes(12).toString('hex')}`

const password = newMark('password')
const wrongPassword = newMark('wrong')
const newPassword = newMark('new')
const mistyped = { api_key: newMark('key'), api_secret: newMark('secret') }
const malformedToken = newMark('token')
const botToken = `123456789:${newMark('bot')}`
const email = newEmail()
// These are planted, to be found.
const label = newMark('Label').slice(0, 50)
const encoded = newMark('encoded')

const traces: Trace[] = []
const streams: OpenStream[] = []
const mailed: Record<'verify-email' | 'reset-password', string> = { 'verify-email': '', 'reset-password': '' }
const sessions: TokenPair[] = []
const webhooks: string[] = []
const closeOnlyUrls: string[] = []
let account: { apiKey: string; secret: string }
let product: Product
let stand: TestTelegram
let ops: Bus
let call: Call
let userId = ''
let metricsPort: number

beforeAll(async () => {
  stand = await telegram()
  stand.addBot(botToken, '4711')
  metricsPort = await freePort()
  const env = { TELEGRAM_API_URL: stand.url, LOG_LEVEL: 'trace', METRICS_PORT: String(metricsPort) }
  product = await startProduct({ ephemeral: true, ownServers: true, env })
  call = patientCallerOf(product.urls.web, keepAnswer)
  account = await paperControl(product.urls.paper).openAccount({ USDT: '10000' })
  const seed = localKeys(product.dataDir).busSeeds.ops
  ops = await connectBus({ url: product.servers.nats.url, user: 'ops', seed, log: testLog('ops') })
  subscribe(ops, '>', (text, subject) =>
    traces.push({ location: locationOnBus(subject), text: `${subject} ${text}` }),
  )
  await flush(ops)
}, 120_000)
afterAll(async () => {
  for (const stream of streams) stream.close()
  await ops.close()
  await product.stop()
  await stand.stop()
})

function keepAnswer(route: string, { text, headers }: Answered): void {
  const [asked = ''] = route.split('?')
  const place = asked.replace(/\/webhook\/.*/, '/webhook').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '{id}')
  traces.push({ location: `answer ${place}`, text: `${JSON.stringify([...headers])} ${text}` })
}

/** The receiver of a reply shows its subject. */
function locationOnBus(subject: string): string {
  const kind = /^(?:_INBOX_\w+|event|alert|result|\$KV\.\w+|\$JS\.\w+)(?=\.)/.exec(subject)?.[0]
  return `bus ${kind ?? subject}`
}

async function asOwner(route: string, sent: Sent = {}): Promise<Answered> {
  return await call(route, { token: sessions.at(-1)?.access_token, ...sent })
}

async function logIn(tried: string): Promise<Answered> {
  const answered = await call('POST /api/auth/login', { body: { email, password: tried } })
  if (answered.status === 200) sessions.push(TokenPair.parse(answered.body))
  return answered
}

async function refresh(tokens: TokenPair | undefined): Promise<Answered> {
  const body = { refresh_token: tokens?.refresh_token ?? '' }
  const answered = await call('POST /api/auth/refresh', { body })
  if (answered.status === 200) sessions.push(TokenPair.parse(answered.body))
  return answered
}

async function send(message: string, url = webhooks.at(-1) ?? '', more: Sent = {}): Promise<Answered> {
  return await call(`POST ${new URL(url).pathname}?wait=20000`, { raw: message, ...more })
}

async function followMail(page: keyof typeof mailed): Promise<string> {
  mailed[page] = await mailedToken(product.urls.web, email, page)
  return mailed[page]
}

describe('marked secrets', () => {
  test('go through everything that accounts can do, right and wrong', async () => {
    const person = { ...profile, email, password }
    await call('POST /api/auth/register', { body: { ...person, email: 'no email' } })
    await call('POST /api/auth/register', { body: person })
    await logIn(password)
    const token = await followMail('verify-email')
    for (const tried of [wrongPassword, password, password])
      await call('POST /api/auth/verify-email', { body: { token, password: tried } })
    await logIn(wrongPassword)
    await call('POST /api/auth/login', { body: { email, password: { nested: wrongPassword } } })
    await call('POST /api/auth/login', { body: { email: '\0', password: wrongPassword } })
    const json = { 'content-type': 'application/json' }
    for (const headers of [json, { 'content-type': 'text/plain' }]) {
      await call('POST /api/auth/login', { raw: `{"password": "${wrongPassword}", oops`, headers })
    }
    await call(`GET /api/users/me?password=${wrongPassword}`)
    await call(`GET /api/${wrongPassword}%ff`)
    expect((await logIn(password)).status).toBe(200)
    await refresh(sessions.at(-1))
    await refresh(sessions.at(-1))
    expect((await refresh(sessions[0])).status).toBe(401)
    await call('POST /api/auth/password-reset/request', { body: { email } })
    const reset = { token: await followMail('reset-password'), new_password: newPassword }
    for (const _time of ['once', 'and again'])
      await call('POST /api/auth/password-reset/confirm', { body: reset })
    expect((await logIn(newPassword)).status).toBe(200)
    userId = (await asOwner('GET /api/users/me')).body.id
    streams.push(await openStream(new URL('/api/events/stream', product.urls.web), bearer()))
    streams.push(await openStream(new URL('/api/events/public-stream', product.urls.web)))
  }, 120_000)

  test('go through everything that keys can do, right and wrong', async () => {
    const credentials = { api_key: account.apiKey, api_secret: account.secret }
    const right = { label, exchange: 'binance', market_type: 'spot', ...credentials }
    const wrong = { ...right, ...mistyped, label: 'Mistyped' }
    const bodies = [
      right,
      right,
      wrong,
      { ...wrong, label: 'Futures', market_type: 'futures_usdt', is_testnet: true },
      { ...wrong, label: 'Bybit', exchange: 'bybit', market_type: 'futures' },
      { ...wrong, label: '()' },
      { ...wrong, label: 'Market', market_type: 'futures' },
      { ...wrong, label: 'Nested', api_secret: { nested: mistyped.api_secret } },
      { ...wrong, label: 'Long', api_secret: mistyped.api_secret.repeat(200) },
      { ...wrong, label: 'Venue', exchange: mistyped.api_secret },
    ]
    const answers: Answered[] = []
    for (const body of bodies) answers.push(await asOwner('POST /api/keys', { body }))
    const statuses = answers.map(({ status }) => status)
    expect(statuses).toEqual([201, 409, 201, 201, 201, 422, 422, 422, 422, 422])
    const ids = answers.flatMap(({ status, body }) => (status === 201 ? [body.id] : []))
    for (const id of ids) {
      await asOwner(`PUT /api/keys/${id}`, { body: mistyped })
      await asOwner(`POST /api/keys/${id}/test`)
    }
  }, 120_000)

  test('go through everything that alerts can do, right and wrong', async () => {
    webhooks.push((await asOwner('GET /api/webhook-config')).body.webhook_url)
    await asOwner('PUT /api/webhook-config', { body: { max_requests_per_minute: 60 } })
    const planted = Buffer.from(`.${encoded}.`).toString('base64')
    expect((await send(`${label}(BTCUSDT) { market(buy, 0.01) } # ${planted}`)).status).toBe(200)
    await send(`@id one\nMistyped(BTCUSDT) { market(buy, 0.01) }`)
    await send('Futures(BTCUSDT) { market(buy, 0.01) }')
    await send('Bybit(BTCUSDT) { market(buy, 0.01) }')
    await send(`${label}(BTCUSDT) { market(buy, 1000000); balance() }`)
    await send('nonsense')
    await send('x'.repeat(70_000))
    const keys = (await asOwner('GET /api/keys')).body
    const closeOnly = `/api/keys/${keys[0]?.id}/close-only`
    closeOnlyUrls.push((await asOwner(`POST ${closeOnly}`)).body.webhook_url)
    await send('nonsense', closeOnlyUrls[0])
    await send(`${label}(BTCUSDT) { market(position=0) }`, closeOnlyUrls[0])
    const renewed = await asOwner(`POST ${closeOnly}/regenerate`, { body: { confirm: true } })
    closeOnlyUrls.push(renewed.body.webhook_url)
    await asOwner(`GET ${closeOnly}`)
    await asOwner(`DELETE /api/keys/${keys[1]?.id}`)
    const { executions } = (await asOwner('GET /api/webhook-executions')).body
    const flight = `/webhook-executions/${executions[0]?.id}`
    for (const read of ['/auth/sessions', '/keys', flight, '/webhook-executions/export']) {
      await asOwner(`GET /api${read}`)
    }
    await asOwner('POST /api/commands/preview', { body: { message: `${label}(BTCUSDT) { balance() }` } })
  }, 120_000)

  test('go through everything that the webhook can do, right and wrong', async () => {
    const { pathname } = new URL(webhooks[0] ?? '')
    for (const spoiled of [
      `${pathname}%ff`,
      `${pathname}/more`,
      `/api${pathname}`,
      `${pathname}?wait=soon`,
    ]) {
      for (const method of ['GET', 'POST', 'PUT']) await call(`${method} ${spoiled}`)
    }
    await asOwner('PUT /api/webhook-config', { body: { only_tradingview: true } })
    await send(`${label}(BTCUSDT) { balance() }`)
    await send(`${label}(BTCUSDT) { balance() }`, webhooks[0], { headers: bearer() })
    const regenerated = await asOwner('POST /api/webhook-config/regenerate', { body: { confirm: true } })
    webhooks.push(regenerated.body.webhook_url)
    await send('x', webhooks[0])
    await asOwner('PUT /api/webhook-config', {
      body: { only_tradingview: false, max_requests_per_minute: 1 },
    })
    await waitFor(async () => (await send(`${label}(BTCUSDT) { balance() }`)).status === 429)
    await asOwner('PUT /api/webhook-config', { body: { max_requests_per_minute: 60 } })
  }, 120_000)

  test('go through everything that notifications can do, right and wrong', async () => {
    const wrong = { telegram_enabled: true, telegram_bot_token: malformedToken, telegram_chat_id: '4711' }
    expect((await asOwner('PUT /api/notifications', { body: wrong })).status).toBe(422)
    const right = { ...wrong, telegram_bot_token: botToken }
    await asOwner('PUT /api/notifications', { body: right })
    await asOwner('POST /api/notifications/test')
    const messagesBefore = stand.messages.length
    expect(stand.messages[0]).toMatchObject({ token: botToken })
    await send(`${label}(BTCUSDT) { market(buy, 0.01) }`)
    await waitFor(() => stand.messages.length > messagesBefore)
    stand.setFault(botToken, { status: 401, description: `Unauthorized ${botToken}` })
    await asOwner('POST /api/notifications/test')
    await send(`${label}(BTCUSDT) { market(buy, 0.01) }`)
    stand.setFault(botToken, { status: 302, headers: { location: `${stand.url}/elsewhere/${botToken}` } })
    await asOwner('POST /api/notifications/test')
    await stand.stop()
    await asOwner('POST /api/notifications/test')
    await asOwner('GET /api/notifications')
  }, 120_000)

  test('go through all parts that are away, come back, or are killed', async () => {
    // Services that are away are answered for with 503, and those answers are searched, too.
    call = callerOf(product.urls.web, keepAnswer)
    const { postgres, nats } = product.servers
    const key = { label: 'Away', exchange: 'binance', market_type: 'spot', ...mistyped }
    const tryAll = async (): Promise<unknown> =>
      await Promise.all([
        logIn(newPassword),
        refresh(sessions.at(-1)),
        asOwner('PUT /api/notifications', { body: { telegram_bot_token: botToken } }),
        asOwner('GET /api/webhook-config'),
        call(`POST ${new URL(webhooks.at(-1) ?? '').pathname}`, { raw: `${label}(BTCUSDT) { balance() }` }),
      ])
    await postgres.stop()
    await Promise.all([tryAll(), asOwner('POST /api/keys', { body: key })])
    await postgres.start()
    await nats.stop()
    await tryAll()
    await nats.start()
    await isHealthy()
    const killed = ['auth', 'keys'] as const
    await Promise.all(killed.map(async (name) => await product.kill(name)))
    await Promise.all([tryAll(), asOwner('POST /api/keys', { body: key })])
    await Promise.all(killed.map(async (name) => await product.restart(name)))
    await isHealthy()
    await tryAll()
  }, 120_000)

  async function isHealthy(): Promise<void> {
    const ask = async () => (await call('GET /api/health')).body?.status
    await waitFor(async () => (await ask()) === 'ok', { deadlineMs: 30_000 })
  }

  test('leave traces that are gathered from everywhere', async () => {
    for (const stream of streams) traces.push({ location: 'answer stream', text: stream.text() })
    const mails = await callerOf(product.urls.web)('GET /dev/mailbox')
    traces.push({ location: 'mail', text: mails.text })
    const { REDIS_URL = '', REDIS_PREFIX = '' } = product.settings('intake')
    traces.push(...(await streamTraces(ops)))
    traces.push(...(await tableTraces(product.servers.postgres.url)))
    traces.push(...(await redisTraces(REDIS_URL, REDIS_PREFIX)))
    for (const name of serviceNames) traces.push(await metricsTrace(name))
    for (const name of serviceNames) await product.stopService(name)
    traces.push(...(await logTraces(product.dataDir)))
  }, 120_000)

  async function metricsTrace(name: ServiceName): Promise<Trace> {
    const own = name === 'gateway' ? `http://127.0.0.1:${metricsPort}` : product.urls.services[name]
    return { location: `metrics ${name}`, text: await (await fetch(new URL('/metrics', own))).text() }
  }

  test('are in no metric, and no label names a user or a bot', () => {
    for (const name of serviceNames)
      expect(locationsOf(traces, `tripline_ready{process="${name}"} 1`)).toEqual([`metrics ${name}`])
    for (const secret of [label, encoded, email, userId])
      expect(locationsOf(traces, secret).filter((place) => place.startsWith('metrics '))).toEqual([])
  })

  test('would be found: planted secrets are, in every kind of place', () => {
    expect(locationsOf(traces, label)).toEqual(
      expect.arrayContaining([
        'answer GET /api/keys',
        'answer POST /webhook',
        'answer stream',
        'bus event',
        'bus $KV.config',
        'stream EVENTS',
        'stream KV_config',
        'stream KV_notifications',
        'table history.execution',
        'table keys.bot',
      ]),
    )
    expect(locationsOf(traces, encoded)).toEqual(
      expect.arrayContaining(['bus alert', 'bus event', 'stream EVENTS', 'table history.execution']),
    )
    expect(locationsOf(traces, email)).toEqual(expect.arrayContaining(['mail', 'table auth.user']))
    const logs = locationsOf(traces, userId).filter((place) => place.startsWith('log '))
    expect(logs).toEqual(expect.arrayContaining(['log intake', 'log notifier']))
    for (const name of serviceNames) expect(locationsOf(traces, `"name":"${name}"`)).toContain(`log ${name}`)
    const tokenHash = createHash('sha256')
      .update(webhookTokens()[1] ?? '')
      .digest('hex')
    expect(locationsOf(traces, tokenHash)).toContain('redis')
  })

  test.each([
    [
      'the password',
      () => [password],
      ['bus auth.email.verify', 'bus auth.session.create', 'bus auth.user.register'],
    ],
    ['a wrong password', () => [wrongPassword], ['bus auth.email.verify', 'bus auth.session.create']],
    ['the new password', () => [newPassword], ['bus auth.password.reset', 'bus auth.session.create']],
    ['the token of the verification mail', () => [mailed['verify-email']], ['bus auth.email.verify', 'mail']],
    ['the token of the reset mail', () => [mailed['reset-password']], ['bus auth.password.reset', 'mail']],
    ['the API key and its secret', () => [account.apiKey, account.secret], []],
    ['a mistyped API key and its secret', () => Object.values(mistyped), []],
    ['the bot token', () => [botToken, botToken.slice('123456789:'.length)], []],
    ['a malformed bot token', () => [malformedToken], []],
    ['the private keys of the product', privateKeys, []],
    [
      'the refresh tokens',
      () => sessions.map(({ refresh_token }) => proofOf(refresh_token)),
      [...tokenAnswers(), 'bus _INBOX_gateway', 'bus auth.session.refresh'],
    ],
    [
      'the access tokens',
      () => sessions.map(({ access_token }) => proofOf(access_token)),
      [...tokenAnswers(), 'bus _INBOX_gateway'],
    ],
    [
      'the webhook tokens',
      webhookTokens,
      [
        'answer GET /api/webhook-config',
        'answer POST /api/webhook-config/regenerate',
        'answer PUT /api/webhook-config',
        'bus _INBOX_gateway',
      ],
    ],
    [
      'the tokens of close-only addresses',
      () => closeOnlyUrls.map((url) => url.slice(url.lastIndexOf('/') + 1)),
      [
        'answer GET /api/keys/{id}/close-only',
        'answer POST /api/keys/{id}/close-only',
        'answer POST /api/keys/{id}/close-only/regenerate',
        'bus _INBOX_gateway',
      ],
    ],
  ] as [string, () => string[] | Promise<string[]>, string[]][])(
    'are where they may be, and nowhere else: %s',
    async (_name, marksOf, places) => {
      const marks = await marksOf()
      expect(marks.filter((mark) => mark.length < 20)).toEqual([])
      expect([...new Set(marks.flatMap((mark) => locationsOf(traces, mark)))].toSorted()).toEqual(places)
    },
  )
})

function bearer(): Record<string, string> {
  return { authorization: `Bearer ${sessions.at(-1)?.access_token}` }
}

function tokenAnswers(): string[] {
  return ['answer POST /api/auth/login', 'answer POST /api/auth/refresh']
}

function webhookTokens(): string[] {
  return webhooks.map((url) => url.slice(url.lastIndexOf('/') + 1))
}

/** Returns the part of a token that cannot be guessed. */
function proofOf(token: string): string {
  return token.slice(token.lastIndexOf('.') + 1)
}

/** Returns the contents of the files of secrets: every run of characters that is long enough to be one. */
async function privateKeys(): Promise<string[]> {
  const folder = path.join(product.dataDir, 'keys')
  const files = (await readdir(folder)).filter((file) => !file.endsWith('.conf'))
  const texts = await Promise.all(files.map(async (file) => await readFile(path.join(folder, file), 'utf8')))
  return texts.flatMap((text) => text.match(/[\w-]{32,}/g) ?? [])
}
