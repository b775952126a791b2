import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { serve } from '@tripline/kit/bus/request'
import { diagnoseBots } from '@tripline/proto/executor-request'
import { BotId } from '@tripline/proto/id'
import { type Bot, testBot, updateBot, updateTrading } from '@tripline/proto/key-request'
import { partitionOf } from '@tripline/proto/subject'
import { waitFor } from '@tripline/testkit/wait-for'
import { ada, bob, type Call, type GatewayFixture, startFixture } from './gateway-fixture.ts'

let gateway: GatewayFixture
let token: string
let bot: Bot
beforeAll(async () => {
  gateway = await startFixture({ EGRESS_ADDRESSES: '203.0.113.7, 203.0.113.8' })
  token = gateway.token(ada)
  bot = {
    id: BotId.parse(randomUUID()),
    label: 'MyBot',
    exchange: 'paper',
    marketType: 'futures',
    apiKeyPreview: 'abcd…wxyz',
    isTestnet: false,
    notifyOnTrade: true,
    notifyOnError: true,
    notifyOnFill: false,
    createdAt: '2026-11-21T12:00:00.000Z',
    lastTest: null,
  }
  gateway.peers.bots.set(ada.sub, [bot])
})
afterAll(async () => await gateway.stop())

const call = async (path: string, more: Call = {}) => await gateway.call(path, { token, ...more })
const lastAsked = (subject: string): unknown =>
  gateway.peers.asked.findLast((asked) => asked.subject === subject)?.value

describe('PUT /api/keys/{id}', () => {
  const put = async (body: object) => await call(`/api/keys/${bot.id}`, { method: 'PUT', body })

  test('changes label, market type and switches, and passes on only the named fields', async () => {
    const answer = await put({ label: 'Other', notify_on_fill: true })
    expect(answer).toMatchObject({ status: 200, body: { id: bot.id, label: 'Other' } })
    expect(lastAsked(updateBot.subject)).toEqual({
      userId: ada.sub,
      botId: bot.id,
      label: 'Other',
      notifyOnFill: true,
    })
  })

  test('hands on nothing about exchange, network or credentials', async () => {
    const answer = await put({ exchange: 'bybit', is_testnet: true, api_key: 'a', api_secret: 'b' })
    expect(answer).toMatchObject({ status: 200, body: { exchange: 'paper', is_testnet: false } })
    expect(lastAsked(updateBot.subject)).toEqual({ userId: ada.sub, botId: bot.id })
  })

  test('refuses a bad label, a market that there is not, and a label that is taken', async () => {
    expect(await put({ label: 'a(b)', market_type: 'margin' })).toMatchObject({
      status: 422,
      body: { detail: [{ field: 'label' }, { field: 'market_type' }] },
    })
    expect(await put({ label: 'Taken' })).toMatchObject({
      status: 409,
      body: { detail: 'Label already exists' },
    })
  })
})

describe('a key whose credentials are of no use', () => {
  const problem = 'Its credentials cannot be opened any more: link the key again'
  const shown = async () => {
    const list = await call('/api/keys')
    const change = await call(`/api/keys/${bot.id}`, { method: 'PUT', body: {} })
    return [list, change]
  }

  test('is shown with the report of its executor', async () => {
    const contract = diagnoseBots(partitionOf(ada.sub))
    const stop = serve(gateway.peers.executor, contract, async ({ userId }) => ({
      bots: userId === ada.sub ? [{ botId: bot.id, problem }] : [],
    }))
    await gateway.peers.executor.connection.flush()
    expect(await shown()).toMatchObject([
      { status: 200, body: [{ id: bot.id, problem }] },
      { status: 200, body: { id: bot.id, problem } },
    ])
    stop()
    await gateway.peers.executor.connection.flush()
  })

  test('is shown without it while no executor answers, or none in time', async () => {
    const without = [
      { status: 200, body: [{ id: bot.id, problem: null }] },
      { status: 200, body: { id: bot.id, problem: null } },
    ]
    expect(await shown()).toMatchObject(without)
    const permitted = Promise.withResolvers<void>()
    const stop = serve(gateway.peers.executor, diagnoseBots(partitionOf(ada.sub)), async () => {
      await permitted.promise
      return { bots: [] }
    })
    await gateway.peers.executor.connection.flush()
    expect(await shown()).toMatchObject(without)
    permitted.resolve()
    stop()
  })
})

describe('POST /api/keys/{id}/test', () => {
  test('answers with the checks that were made', async () => {
    expect(await call(`/api/keys/${bot.id}/test`, { method: 'POST' })).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: 'API key is valid and working',
        error: null,
        checks: [{ id: 'venue_reached', ok: true, message: 'MyBot reached it', fix: null }],
      },
    })
  })
})

describe('/api/keys/{id}/trading', () => {
  test('returns and changes how a key may trade', async () => {
    const path = `/api/keys/${bot.id}/trading`
    expect(await call(path)).toMatchObject({
      status: 200,
      body: { state: 'active', max_entry_age_s: 60, exit_retry_s: 600, max_order_value: null },
    })
    const body = { max_entry_age_s: 10, exit_retry_s: 0, max_order_value: '250.5' }
    expect(await call(path, { method: 'PUT', body })).toMatchObject({
      status: 200,
      body: { state: 'active', ...body },
    })
    expect(lastAsked(updateTrading.subject)).toEqual({
      userId: ada.sub,
      botId: bot.id,
      maxEntryAgeS: 10,
      exitRetryS: 0,
      maxOrderValue: '250.5',
    })
  })

  test.each([
    { state: 'paused' },
    { max_entry_age_s: 0 },
    { max_entry_age_s: '60' },
    { exit_retry_s: -1 },
    { exit_retry_s: 3601 },
    { exit_retry_s: 0.5 },
    { max_order_value: 100 },
    { max_order_value: 'much' },
    { max_order_value: '0' },
  ])('refuses %j', async (body) => {
    expect(await call(`/api/keys/${bot.id}/trading`, { method: 'PUT', body })).toMatchObject({
      status: 422,
      body: { detail: [{ field: Object.keys(body)[0] }] },
    })
  })
})

describe('/api/trading-state', () => {
  test("is the user's own", async () => {
    const body = { state: 'reducing' }
    expect(await call('/api/trading-state', { method: 'PUT', body })).toMatchObject({ status: 200, body })
    expect(await call('/api/trading-state')).toMatchObject({ status: 200, body })
    const other = await call('/api/trading-state', { token: gateway.token(bob) })
    expect(other).toMatchObject({ status: 200, body: { state: 'active' } })
    expect((await call('/api/trading-state', { method: 'PUT', body: {} })).status).toBe(422)
  })
})

describe('POST /api/webhook-config/regenerate', () => {
  const regenerate = async (body: object) => await call('/api/webhook-config/regenerate', { body })

  test('gives a new address once it is confirmed, and only then', async () => {
    for (const body of [{}, { confirm: false }, { confirm: 'true' }]) {
      expect(await regenerate(body)).toMatchObject({ status: 422, body: { detail: [{ field: 'confirm' }] } })
    }
    expect(await regenerate({ confirm: true })).toMatchObject({
      status: 200,
      body: {
        webhook_url: `https://tripline.example/webhook/new-token-${ada.sub}`,
        is_active: true,
        max_requests_per_minute: 10,
        only_tradingview: false,
      },
    })
  })
})

describe('/api/keys/{id}/close-only', () => {
  test('is none, made once, replaced once that is confirmed, and taken away', async () => {
    const path = `/api/keys/${bot.id}/close-only`
    const url = expect.stringMatching(`^https://tripline.example/webhook/close-only-\\d-${bot.id}$`)
    expect(await call(path)).toMatchObject({ status: 200, body: { webhook_url: null } })
    const made = await call(path, { method: 'POST' })
    expect(made).toMatchObject({ status: 201, body: { webhook_url: url } })
    expect(await call(path, { method: 'POST' })).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await call(path)).body).toEqual(made.body)
    for (const body of [{}, { confirm: false }])
      expect(await call(`${path}/regenerate`, { body })).toMatchObject({
        status: 422,
        body: { detail: [{ field: 'confirm' }] },
      })
    const replaced = await call(`${path}/regenerate`, { body: { confirm: true } })
    expect(replaced).toMatchObject({ status: 200, body: { webhook_url: url } })
    expect(replaced.body).not.toEqual(made.body)
    expect(await call(path, { method: 'DELETE' })).toMatchObject({ status: 204, body: '' })
    expect(await call(path, { method: 'DELETE' })).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await call(`${path}/regenerate`, { body: { confirm: true } })).status).toBe(404)
  })
})

test('the addresses that keys have to allow are shown to any user with a session', async () => {
  expect(await call('/api/keys/addresses')).toMatchObject({
    status: 200,
    body: { addresses: ['203.0.113.7', '203.0.113.8'] },
  })
  expect((await call('/api/keys/addresses', { token: '' })).status).toBe(401)
})

describe('keys of another user', () => {
  const routes: [string, string, object | undefined][] = [
    ['PUT', '/api/keys/:id', { label: 'Stolen' }],
    ['DELETE', '/api/keys/:id', undefined],
    ['POST', '/api/keys/:id/test', undefined],
    ['POST', '/api/keys/:id/reset', undefined],
    ['GET', '/api/keys/:id/trading', undefined],
    ['PUT', '/api/keys/:id/trading', { state: 'halted' }],
    ['GET', '/api/keys/:id/close-only', undefined],
    ['POST', '/api/keys/:id/close-only', undefined],
    ['POST', '/api/keys/:id/close-only/regenerate', { confirm: true }],
    ['DELETE', '/api/keys/:id/close-only', undefined],
  ]

  test.each(routes)('%s %s is not there, like a key that does not exist', async (method, path, body) => {
    for (const id of [bot.id, randomUUID(), 'nonsense', '%00', '..%2f..']) {
      const answer = await call(path.replace(':id', id), { method, body, token: gateway.token(bob) })
      expect(answer).toMatchObject({ status: 404, body: { detail: 'API key not found', code: 'not_found' } })
    }
    expect(gateway.peers.bots.get(ada.sub)).toEqual([bot])
  })

  test.each([
    ...routes,
    ['GET', '/api/trading-state', undefined],
    ['PUT', '/api/trading-state', { state: 'active' }],
    ['POST', '/api/webhook-config/regenerate', { confirm: true }],
    ['GET', '/api/notifications', undefined],
    ['PUT', '/api/notifications', {}],
    ['POST', '/api/notifications/test', undefined],
  ] as [string, string, object | undefined][])('%s %s needs a session', async (method, path, body) => {
    const answer = await call(path.replace(':id', bot.id), { method, body, token: undefined })
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  })
})

test('DELETE /api/keys/{id} unlinks a key', async () => {
  expect(await call(`/api/keys/${bot.id}`, { method: 'DELETE' })).toMatchObject({ status: 204, body: '' })
  expect((await call(`/api/keys/${bot.id}`, { method: 'DELETE' })).status).toBe(404)
})

test('POST /api/keys/{id}/test tests one key of a user at a time; the next waits, and more are refused', async () => {
  gateway.peers.leave('keys')
  const keys = await gateway.nats.connect('keys')
  const tests: (() => void)[] = []
  serve(keys, testBot, async () => {
    await new Promise<void>((resolve) => tests.push(resolve))
    return { success: true, message: '', error: null, checks: [] }
  })
  await keys.connection.flush()
  const path = `/api/keys/${bot.id}/test`
  const running = [call(path, { method: 'POST' })]
  await waitFor(() => tests.length === 1)
  running.push(call(path, { method: 'POST' }))
  running.push(call(path, { method: 'POST' }))
  expect(await Promise.race(running)).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  const others = call(path, { method: 'POST', token: gateway.token(bob) })
  await waitFor(() => tests.length === 2)
  for (const done of tests) done()
  await waitFor(() => tests.length === 3)
  tests[2]?.()
  const statuses = (await Promise.all([...running, others])).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, 200, 200, 429])
})
