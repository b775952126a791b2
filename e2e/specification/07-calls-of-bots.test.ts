import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ExecutionPage } from '@tripline/proto/http/execution'
import { KeyView } from '@tripline/proto/http/key'
import { storedTokenMask } from '@tripline/proto/http/notification'
import { paperControl } from '@tripline/testkit/paper-control'
import { type Answered, callerOf, type Sent } from '@tripline/testkit/people/caller'
import { operatorBus } from '@tripline/testkit/people/crowd'
import { newPerson } from '@tripline/testkit/people/person'
import { newTrader } from '@tripline/testkit/people/trader'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { type TestTelegram, telegram } from '@tripline/testkit/telegram'
import { waitFor } from '@tripline/testkit/wait-for'
import { type Wire, watchWire } from '@tripline/testkit/wire/wire'
import { openStream } from '../open-stream.ts'

const buy = 'Test Bot(BTCUSDT) { market(buy, 0.01) }'
const botToken = `123456789:${randomUUID()}`
const chatId = '-4711'

let stand: TestTelegram
let product: Product
let wire: Wire | undefined
let token: string
let webhook: string
let account: { apiKey: string; secret: string }

/** Calls as somebody who is logged in. */
async function call(route: string, sent: Sent = {}): Promise<Answered> {
  return await callerOf(product.urls.web)(route, { token, ...sent })
}

/** Sends an alert, and waits until all of it is done. */
async function send(message: string, path = webhook): Promise<Answered> {
  const anybody = callerOf(product.urls.web)
  return await anybody(`POST ${path}?wait=20000`, { body: { message } })
}

beforeAll(async () => {
  stand = await telegram()
  stand.addBot(botToken, chatId)
  product = await startProduct({ ephemeral: true, env: { TELEGRAM_API_URL: stand.url } })
  wire = await watchWire(await operatorBus(product))
  account = await paperControl(product.urls.paper).openAccount({ USDT: '10000' })
  token = (await newPerson(product.urls.web)).tokens.access_token
  webhook = new URL((await call('GET /api/webhook-config')).body.webhook_url).pathname
}, 120_000)
afterAll(async () => {
  await wire?.stop()
  await product.stop()
  await stand.stop()
})

/** A key of this exchange, linked. */
async function link(label: string, more: object = { exchange: 'paper' }): Promise<KeyView> {
  const answer = await call('POST /api/keys', { body: { label, ...more } })
  expect(answer).toMatchObject({ status: 201 })
  return KeyView.parse(answer.body)
}

const detailOf = (faults: object): object[] =>
  Object.entries(faults).map(([field, message]) => ({ field, message }))

describe('7: works', () => {
  let key: KeyView

  test('POST /keys and GET /keys', async () => {
    const body = {
      label: 'Test Bot',
      exchange: 'binance',
      market_type: 'spot',
      api_key: account.apiKey,
      api_secret: account.secret,
      is_testnet: false,
      notify_on_trade: false,
      notify_on_error: true,
      notify_on_fill: true,
    }
    const created = await call('POST /api/keys', { body })
    expect(created.status).toBe(201)
    key = KeyView.parse(created.body)
    const { api_key: apiKey, api_secret: secret, ...shown } = body
    const preview = `${apiKey.slice(0, 4)}…${apiKey.slice(-4)}`
    expect(created.body).toMatchObject({ ...shown, api_key_preview: preview })
    const listed = await call('GET /api/keys')
    expect(listed).toMatchObject({ status: 200, body: [{ id: key.id, api_key_preview: preview }] })
    for (const { text } of [created, listed]) {
      expect(text).not.toContain(apiKey)
      expect(text).not.toContain(secret)
    }
  })

  test('POST /keys with nothing but the required fields', async () => {
    const created = await call('POST /api/keys', {
      body: { label: 'Plain', api_key: account.apiKey, api_secret: account.secret },
    })
    expect(created).toMatchObject({
      status: 201,
      body: {
        exchange: 'bybit',
        market_type: 'futures',
        is_testnet: false,
        notify_on_trade: true,
        notify_on_error: true,
        notify_on_fill: false,
      },
    })
  })

  test('PUT /keys/{id} changes label, market type and switches, and nothing else', async () => {
    const { id } = await link('Before', { exchange: 'paper', market_type: 'futures' })
    const body = {
      label: 'After',
      market_type: 'spot',
      notify_on_trade: false,
      notify_on_error: false,
      notify_on_fill: true,
    }
    const changed = await call(`PUT /api/keys/${id}`, {
      body: { ...body, exchange: 'binance', is_testnet: true },
    })
    expect(changed).toMatchObject({
      status: 200,
      body: { ...body, id, exchange: 'paper', is_testnet: false },
    })
  })

  test('DELETE /keys/{id}', async () => {
    const { id } = await link('Short-lived')
    expect(await call(`DELETE /api/keys/${id}`)).toMatchObject({ status: 204, text: '' })
    const { body } = await call('GET /api/keys')
    expect(body.map((one: KeyView) => one.id)).not.toContain(id)
  })

  test('POST /keys/{id}/test of a key that works', async () => {
    const tested = await call(`POST /api/keys/${key.id}/test`)
    expect(tested).toMatchObject({ status: 200, body: { success: true, error: null } })
    expect(tested.body.message).toMatch(/^API key is valid and working/)
  })

  test('POST /keys/{id}/test of a key that the exchange does not know', async () => {
    const more = { exchange: 'binance', market_type: 'spot', api_key: 'x'.repeat(64), api_secret: 'y' }
    const { id } = await link('Mistyped', more)
    const { status, body } = await call(`POST /api/keys/${id}/test`)
    expect([status, body]).toMatchObject([
      200,
      { success: false, message: 'The API key does not work yet', error: expect.any(String) },
    ])
    expect(body.checks).toContainEqual(
      expect.objectContaining({ id: 'key_accepted', ok: false, fix: expect.any(String) }),
    )
  })

  test('GET and PUT /webhook-config', async () => {
    const body = { is_active: true, max_requests_per_minute: 60 }
    expect(await call('PUT /api/webhook-config', { body })).toMatchObject({ status: 200, body })
    const read = await call('GET /api/webhook-config')
    expect(read).toMatchObject({ status: 200, body })
    expect(read.body.webhook_url).toMatch(/^http:\/\/localhost:\d+\/webhook\/[\w-]{32,}$/)
  })

  test('POST to the webhook, and GET /webhook-executions', async () => {
    const answer = await send(buy)
    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: 'success',
        error: null,
        message: '1 of 1 command succeeded',
        performance: { total_ms: expect.any(Number) },
        results: [{ symbol: 'BTCUSDT', commands: [{ command: 'market', success: true }] }],
      },
    })
    const [{ result }] = answer.body.results[0].results
    expect(result).toMatchObject({
      id: expect.any(String),
      side: 'buy',
      amount: '0.01',
    })
    const page = await listed('api_key_label=Test Bot', 1)
    expect(page).toMatchObject({ total: 1, has_more: false })
    expect(page.executions[0]).toMatchObject({
      id: answer.body.execution_id,
      api_key_label: 'Test Bot',
      exchange: 'binance_spot',
      overall_status: 'success',
      webhook_payload: { message: buy },
      commands_executed: [
        {
          type: 'market',
          symbol: 'BTCUSDT',
          status: 'success',
          error_message: null,
          result: { side: 'buy' },
        },
      ],
    })
  })

  test('GET /webhook-executions by each filter, page by page', async () => {
    await send('Test Bot(ETHUSDT) { balance() }')
    await send('Test Bot(BTCUSDT) { market(buy, 1000000) }')
    await listed('', 3)
    for (const [filter, count] of [
      ['api_key_label=Test Bot', 3],
      ['api_key_label=After', 0],
      ['exchange=binance_spot', 3],
      ['exchange=bybit', 0],
      ['symbol=ETHUSDT', 1],
      ['command_type=market', 2],
      ['command_type=balance', 1],
      ['overall_status=success', 2],
      ['overall_status=failed', 1],
      ['symbol=BTCUSDT&overall_status=failed', 1],
      ['symbol=&exchange=&api_key_label=&command_type=&overall_status=', 3],
    ] as const) {
      expect([filter, (await listed(filter, count)).total]).toEqual([filter, count])
    }
    const pages = [await listed('offset=0&limit=2', 2), await listed('offset=2&limit=2', 1)]
    expect(pages.map((page) => [page.executions.length, page.total, page.has_more])).toEqual([
      [2, 3, true],
      [1, 3, false],
    ])
    const ids = pages.flatMap(({ executions }) => executions.map(({ id }) => id))
    expect(new Set(ids).size).toBe(3)
    const [first = ''] = ids
    expect(await call(`GET /api/webhook-executions/${first}`)).toMatchObject({
      status: 200,
      body: { id: first },
    })
    expect((await call('GET /api/webhook-executions/export?format=json')).body).toHaveLength(3)
  })

  test('POST /webhook-config/regenerate', async () => {
    const before = webhook
    const changed = await call('POST /api/webhook-config/regenerate', { body: { confirm: true } })
    expect(changed).toMatchObject({ status: 200, body: { is_active: true, max_requests_per_minute: 60 } })
    webhook = new URL(changed.body.webhook_url).pathname
    await waitFor(async () => (await send(buy, before)).status === 404)
    expect(await send(buy)).toMatchObject({ status: 200, body: { status: 'success' } })
  })

  test('POST, GET, DELETE /keys/{id}/close-only and its alerts', async () => {
    const { id } = await link('Closer')
    const made = await call(`POST /api/keys/${id}/close-only`)
    expect(made.status).toBe(201)
    expect(await call(`GET /api/keys/${id}/close-only`)).toMatchObject({ status: 200, body: made.body })
    const address = new URL(made.body.webhook_url).pathname
    expect(await send('Closer(BTCUSDT) { market(buy, 0.01) }')).toMatchObject({ body: { status: 'success' } })
    // Known to keys is not yet known to intake.
    await waitFor(async () => (await send('Closer(BTCUSDT) { balance }', address)).status === 422)
    const opened = await send('Closer(BTCUSDT) { market(buy, 0.01) }', address)
    expect(opened.body).toMatchObject({ status: 'failed', results: [{ results: [{ error_code: 'E510' }] }] })
    expect(await send(buy, address)).toMatchObject({ status: 400, body: { error_code: 'E201' } })
    expect(await send('Closer(BTCUSDT) { balance }', address)).toMatchObject({
      status: 422,
      body: { error_code: 'E407' },
    })
    const closed = await send('Closer(BTCUSDT) { cancel; market(position=0) }', address)
    expect(closed).toMatchObject({ status: 200, body: { status: 'success' } })
    const row = `GET /api/webhook-executions/${closed.body.execution_id}`
    await waitFor(async () => (await call(row)).status === 200)
    expect((await call(row)).body).toMatchObject({ close_only: true, api_key_label: 'Closer' })
    const renewed = await call(`POST /api/keys/${id}/close-only/regenerate`, { body: { confirm: true } })
    expect(renewed.status).toBe(200)
    await waitFor(async () => (await send(buy, address)).status === 404)
    expect((await call(`DELETE /api/keys/${id}/close-only`)).status).toBe(204)
    expect(await call(`GET /api/keys/${id}/close-only`)).toMatchObject({ body: { webhook_url: null } })
  })

  test('PUT, GET /notifications and POST /notifications/test', async () => {
    const body = { telegram_enabled: true, telegram_bot_token: botToken, telegram_chat_id: chatId }
    // Decided otherwise: a stored token is never shown again.
    const shown = { ...body, telegram_bot_token: storedTokenMask }
    expect(await call('PUT /api/notifications', { body })).toMatchObject({ status: 200, body: shown })
    expect(await call('GET /api/notifications')).toMatchObject({ status: 200, body: shown })
    expect(await call('PUT /api/notifications', { body: shown })).toMatchObject({ status: 200, body: shown })
    expect(await call('POST /api/notifications/test')).toMatchObject({
      status: 200,
      body: { success: true, message: 'Test message sent', error: null },
    })
    expect(stand.messages.at(-1)).toMatchObject({ token: botToken, chatId })
    // Messages of what ran before may be on their way, so every one meets the fault.
    stand.setFault(botToken, { status: 400, description: 'Bad Request: chat not found' })
    expect(await call('POST /api/notifications/test')).toMatchObject({
      status: 200,
      body: { success: false, message: 'Failed to send test message', error: expect.any(String) },
    })
    const cleared = { telegram_enabled: false, telegram_bot_token: null, telegram_chat_id: null }
    expect(await call('PUT /api/notifications', { body: cleared })).toMatchObject({
      status: 200,
      body: cleared,
    })
  })

  test('GET /events/stream and /events/public-stream begin at once', async () => {
    for (const path of ['/api/events/stream', `/api/events/public-stream?t=${Date.now()}`]) {
      const authorization = `Bearer ${token}`
      const stream = await openStream(new URL(path, product.urls.web), { authorization })
      expect([stream.status, stream.contentType]).toEqual([200, expect.stringMatching(/^text\/event-stream/)])
      await waitFor(() => /^id: \d+\ndata: \{.*"type":"connected".*\}\n\n/.test(stream.text()))
      stream.close()
    }
  })

  /** The page of the history, once it counts so many. */
  async function listed(query: string, count: number): Promise<ExecutionPage> {
    return await waitFor(async () => {
      const { status, body } = await call(`GET /api/webhook-executions?${query.replaceAll(' ', '%20')}`)
      expect(status).toBe(200)
      const page = ExecutionPage.parse(body)
      const isThere = page.executions.every(({ overall_status }) => overall_status !== 'running')
      return isThere && (query.includes('limit') || page.total === count) && page
    })
  }
})

const invalidLabel =
  'Invalid label: Label can only contain letters, numbers, hyphens, underscores, and spaces (max 50 characters)'
const needed = 'API credentials are required'
const paper = { exchange: 'paper' }
const credentials = { api_key: 'a'.repeat(64), api_secret: 's' }

describe('5 and 7: refuses', () => {
  test.each([
    ['POST /api/keys', { label: '', ...paper }, { label: 'Label is required' }],
    ['POST /api/keys', { label: 'My/Bot', ...paper }, { label: invalidLabel }],
    ['POST /api/keys', { label: 'é', ...paper }, { label: invalidLabel }],
    ['POST /api/keys', { label: 'x'.repeat(51), ...paper }, { label: invalidLabel }],
    ['POST /api/keys', { label: 'X', exchange: 'bybit' }, { api_key: needed, api_secret: needed }],
    ['POST /api/keys', { label: 'X', exchange: 'bybit', api_key: 'k' }, { api_secret: needed }],
    [
      'POST /api/keys',
      { label: 'X', exchange: 'bybit', market_type: 'futures_usdt', ...credentials },
      { market_type: 'bybit has no market type futures_usdt' },
    ],
    [
      'POST /api/keys',
      { label: 'X', exchange: 'binance', market_type: 'futures_usdt', ...credentials },
      { is_testnet: 'Binance futures are available on the testnet only' },
    ],
    ['POST /api/keys', { label: 'X', exchange: 'okx', ...credentials }, { exchange: expect.any(String) }],
    ['PUT /api/keys/{id}', { label: '' }, { label: 'Label is required' }],
    ['PUT /api/keys/{id}', { label: 'My/Bot' }, { label: invalidLabel }],
    [
      'PUT /api/keys/{id}',
      { market_type: 'futures_usdt' },
      { market_type: 'paper has no market type futures_usdt' },
    ],
    [
      'PUT /api/webhook-config',
      { max_requests_per_minute: 0 },
      { max_requests_per_minute: expect.any(String) },
    ],
    [
      'PUT /api/webhook-config',
      { max_requests_per_minute: 61 },
      { max_requests_per_minute: expect.any(String) },
    ],
    [
      'PUT /api/webhook-config',
      { max_requests_per_minute: 2.5 },
      { max_requests_per_minute: expect.any(String) },
    ],
    ['PUT /api/webhook-config', { is_active: 'yes' }, { is_active: expect.any(String) }],
    ['POST /api/webhook-config/regenerate', {}, { confirm: expect.any(String) }],
    ['POST /api/webhook-config/regenerate', { confirm: false }, { confirm: expect.any(String) }],
    ['PUT /api/notifications', { telegram_chat_id: 'me' }, { telegram_chat_id: expect.any(String) }],
    [
      'PUT /api/notifications',
      { telegram_bot_token: '12:34567' },
      { telegram_bot_token: expect.any(String) },
    ],
    ['GET /api/webhook-executions?limit=0', undefined, { limit: 'must be a whole number from 1 to 100' }],
    ['GET /api/webhook-executions?limit=all', undefined, { limit: 'must be a whole number from 1 to 100' }],
    ['GET /api/webhook-executions?offset=-1', undefined, { offset: expect.any(String) }],
    ['GET /api/webhook-executions?overall_status=fine', undefined, { overall_status: expect.any(String) }],
  ])('%s %j', async (route, body, faults) => {
    const id = route.includes('{id}') ? (await link(`Refused ${randomUUID().slice(0, 8)}`)).id : ''
    const refused = await call(route.replace('{id}', id), { body })
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'invalid_request', detail: detailOf(faults) },
    })
  })

  test.each([
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/test'],
  ])('%s /keys/{id}%s of a key that is not there', async (method, path) => {
    const body = method === 'PUT' ? { label: 'X' } : undefined
    for (const id of [randomUUID(), 'nonsense']) {
      const detail = 'API key not found'
      expect(await call(`${method} /api/keys/${id}${path}`, { body })).toMatchObject({
        status: 404,
        body: { detail, code: 'not_found' },
      })
    }
  })

  test('a label that another key has, however it is written', async () => {
    const { id } = await link('Second')
    const conflict = { status: 409, body: { detail: 'Label already exists', code: 'conflict' } }
    expect(await call('POST /api/keys', { body: { label: 'TEST bot', ...paper } })).toMatchObject(conflict)
    expect(await call(`PUT /api/keys/${id}`, { body: { label: 'test BOT' } })).toMatchObject(conflict)
  })

  test('GET /webhook-executions/{id} of an unknown execution', async () => {
    expect(await call(`GET /api/webhook-executions/${randomUUID()}`)).toMatchObject({
      status: 404,
      body: { detail: 'Execution not found' },
    })
  })

  test('POST /notifications/test before a bot is entered', async () => {
    expect(await call('POST /api/notifications/test')).toMatchObject({
      status: 409,
      body: { detail: 'Telegram notifications are not configured', code: 'conflict' },
    })
  })

  test.each([
    [400, 'E101', 'hello'],
    [400, 'E101', ' '],
    [400, 'E201', 'Nobody(BTCUSDT) { market(buy, 1) }'],
    [400, 'E202', 'Test Bot(BTCUSDT) { markt(buy, 1) }'],
    [422, 'E401', 'Test Bot(NOSUCHUSDT) { market(buy, 1) }'],
    [413, 'message_too_large', 'x'.repeat(70_000)],
  ])('an alert with %i %s', async (status, code, message) => {
    const refused = await send(message)
    expect(refused).toMatchObject({ status, body: { status: 'failed', error_code: code } })
    const { error, message: answered, detail } = refused.body
    expect(error).not.toBe('')
    expect([answered, detail]).toEqual([error, error])
  })

  test('an alert on a webhook that is not known, is switched off, or is called too often', async () => {
    expect(await send(buy, `/webhook/${'A'.repeat(32)}`)).toMatchObject({
      status: 404,
      body: { error_code: 'unknown_webhook', error: expect.stringMatching(/^This webhook URL is not known/) },
    })
    await call('PUT /api/webhook-config', { body: { is_active: false } })
    await waitFor(async () => (await send(buy)).status === 409)
    expect((await send(buy)).body).toMatchObject({
      error_code: 'webhook_inactive',
      error: 'This webhook is switched off. Nothing was executed.',
    })
    await call('PUT /api/webhook-config', { body: { is_active: true, max_requests_per_minute: 1 } })
    const refused = await waitFor(async () => {
      const answer = await send(buy)
      return answer.status === 429 && answer
    })
    expect(refused.body.error).toMatch(
      /^More than 1 alerts? in a minute at this webhook\. Nothing was executed\. Try again in/,
    )
    expect(Number(refused.headers.get('retry-after'))).toBe(refused.body.retry_after)
  })
})

describe('6: protects', () => {
  let unreachable: KeyView

  // Linked while every service runs: after a restart a service may not answer yet on a busy machine.
  beforeAll(async () => {
    unreachable = await link('Unreachable')
  })

  test('every call that needs a session asks for one that is good', async () => {
    const document = (await call('GET /api/openapi.json')).body as {
      paths: Record<string, Record<string, { security?: unknown[] }>>
    }
    const guarded = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { security }]) =>
        security === undefined ? [] : [`${method.toUpperCase()} ${path.replace('{id}', randomUUID())}`],
      ),
    )
    expect(guarded.length).toBeGreaterThan(20)
    for (const bad of [undefined, 'nonsense']) {
      const answers = await Promise.all(guarded.map(async (route) => await call(route, { token: bad })))
      for (const answer of answers) {
        const detail = 'Please log in again to continue'
        expect(answer).toMatchObject({ status: 401, body: { detail, code: 'unauthorized' } })
      }
    }
  })

  test('a user from streams without end', async () => {
    const open = await Promise.all(
      Array.from(
        { length: 10 },
        async () => await openStream(streamUrl(), { authorization: `Bearer ${token}` }),
      ),
    )
    expect(open.map(({ status }) => status)).toEqual(open.map(() => 200))
    expect(await call('GET /api/events/stream')).toMatchObject({
      status: 429,
      body: { code: 'rate_limited', detail: 'At most 10 live streams at a time' },
    })
    for (const stream of open) stream.close()
  })

  const streamUrl = (): URL => new URL('/api/events/stream', product.urls.web)

  const away = { status: 503, body: { code: 'unavailable', detail: expect.any(String) } }

  test.each([
    [
      'keys',
      [
        'GET /api/keys',
        'POST /api/keys',
        'PUT /api/keys/{id}',
        'DELETE /api/keys/{id}',
        'POST /api/keys/{id}/test',
        'GET /api/webhook-config',
        'PUT /api/webhook-config',
        'POST /api/webhook-config/regenerate',
        'GET /api/keys/{id}/close-only',
        'POST /api/keys/{id}/close-only',
        'DELETE /api/keys/{id}/close-only',
        'GET /api/notifications',
        'PUT /api/notifications',
      ],
    ],
    [
      'history',
      [
        'GET /api/webhook-executions',
        'GET /api/webhook-executions/{id}',
        'GET /api/webhook-executions/export',
      ],
    ],
    ['notifier', ['POST /api/notifications/test']],
    ['executor', ['POST /api/keys']],
  ] as const)('while %s is away its calls are unavailable, never a fault', async (service, routes) => {
    await product.stopService(service)
    const body = { label: 'Away', ...paper, confirm: true }
    const answers = await Promise.all(
      routes.map(async (route) => {
        const sent = route.startsWith('GET') || route.startsWith('DELETE') ? {} : { body }
        return await call(route.replace('{id}', randomUUID()), sent)
      }),
    )
    await product.restart(service)
    expect(answers).toMatchObject(routes.map(() => away))
  })

  test('while the exchange is away the answer says that the key does not work yet, and why', async () => {
    await product.stopService('paper-exchange')
    const tested = await call(`POST /api/keys/${unreachable.id}/test`)
    await product.restart('paper-exchange')
    expect(tested).toMatchObject({
      status: 200,
      body: {
        success: false,
        message: 'The API key does not work yet',
        error: 'Paper cannot be reached',
        checks: [{ id: 'venue_reached', ok: false, fix: expect.any(String) }],
      },
    })
  })

  test('while intake is away an alert is not taken, and may be sent again', async () => {
    await product.stopService('intake')
    const refused = await send(buy)
    await product.restart('intake')
    const error = 'The alert could not be taken, please send it again'
    expect(refused).toMatchObject({
      status: 503,
      body: { status: 'failed', error, message: error, detail: error, error_code: 'not_durable' },
    })
    expect(refused.headers.get('retry-after')).toBe('5')
  })
})

test('beside the specification: the version before can read all that was said meanwhile', async () => {
  const { send, accessToken, linkPaperBot } = await newTrader(product)
  const pair = 'market(buy, 0.01); stopOrTakeProfit(amount=100%p, sl=2%, tp=4%)'
  const alert = `@id seen\nMyBot(BTCUSDT) { ${pair}; limit(buy, 0.01, 50000); wait(200ms); cancel(all) }`
  expect(await send(alert)).toMatchObject({ status: 200, body: { status: 'success' } })
  // The delivery of its answer is published, since a sender that names no wait may send again.
  expect((await send('MyBot(BTCUSDT) { market(buy, 0.01) }', '')).status).toBeLessThan(300)
  const key = `/api/keys/${await linkPaperBot('Other', 'spot')}`
  const routes: [route: string, body?: object][] = [
    ['POST /api/commands/preview', { message: 'MyBot(BTCUSDT) { market(sell, 100%p) }' }],
    [`GET ${key}/trading`],
    [`PUT ${key}/trading`, { state: 'reducing', max_order_value: '1000' }],
    ['GET /api/trading-state'],
    ['PUT /api/trading-state', { state: 'reducing' }],
    ['GET /api/keys/addresses'],
    ['GET /api/webhook-config/usage'],
    ['GET /api/webhook-executions/summary'],
    ['GET /api/webhook-executions/sums'],
    ['GET /api/accounts'],
    [`POST ${key}/reset`],
    ['DELETE /api/auth/sessions'],
  ]
  for (const [route, body] of routes) {
    const { status } = await call(route, { token: accessToken, ...(body && { body }) })
    expect([route, status < 300]).toEqual([route, true])
  }
  expect(wire?.kinds()).toBeGreaterThan(20)
  expect(wire?.unreadableBefore()).toEqual([])
  if (process.env['TRIPLINE_RECORD']) wire?.record()
})
