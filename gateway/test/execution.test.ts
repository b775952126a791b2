import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Execution } from '@tripline/proto/history-request'
import { AlertId } from '@tripline/proto/id'
import { ada, bob, type GatewayFixture, startFixture } from './gateway-fixture.ts'

let gateway: GatewayFixture
let token: string
beforeAll(async () => {
  gateway = await startFixture()
  token = gateway.token(ada)
  gateway.peers.executions.set(
    ada.sub,
    Array.from({ length: 8 }, (_, index) => executionOf(index)),
  )
})
afterAll(async () => await gateway.stop())

describe('GET /api/webhook-executions', () => {
  test('gives a page, also when history sends it in parts', async () => {
    const answer = await gateway.call('/api/webhook-executions?limit=5', { token })
    expect(answer).toMatchObject({ status: 200, body: { total: 8, has_more: true } })
    expect(idsOf(answer.body)).toEqual(['0', '1', '2', '3', '4'])
    const rest = await gateway.call('/api/webhook-executions?offset=5&limit=5', { token })
    expect(rest.body).toMatchObject({ total: 8, has_more: false })
    expect(idsOf(rest.body)).toEqual(['5', '6', '7'])
    const beyond = await gateway.call('/api/webhook-executions?offset=50', { token })
    expect(beyond.body).toEqual({ executions: [], total: 8, has_more: false, next_cursor: null })
  })

  test('returns an execution with all its fields', async () => {
    const { body } = await gateway.call('/api/webhook-executions?limit=1', { token })
    expect(body).toMatchObject({
      executions: [
        {
          id: '0',
          alert_id: '01KAJ000000000000000000000',
          created_at: '2026-11-21T12:00:00.000Z',
          api_key_label: 'MyBot',
          exchange: 'paper_futures',
          symbol: 'BTCUSDT',
          overall_status: 'success',
          error_code: null,
          total_ms: 12.5,
          webhook_payload: { message: 'MyBot(BTCUSDT) { market(buy, 1) }' },
          commands_executed: [
            {
              type: 'market',
              symbol: 'BTCUSDT',
              params: { side: 'buy' },
              status: 'success',
              execution_time_ms: 3.25,
              error_message: null,
              result: { id: '42' },
            },
          ],
        },
      ],
    })
  })

  test('hands filters on, and leaves out empty ones', async () => {
    await gateway.call(
      '/api/webhook-executions?limit=2&api_key_label=MyBot&exchange=&overall_status=&symbol=BTCUSDT',
      {
        token,
      },
    )
    expect(gateway.peers.asked.at(-1)?.value).toEqual({
      userId: ada.sub,
      offset: expect.any(Number),
      limit: expect.any(Number),
      withTotal: true,
      sort: 'newest',
      label: 'MyBot',
      symbol: 'BTCUSDT',
    })
  })

  test('hands times in UTC, a search, an outcome and an order on, also for the second part of a page', async () => {
    const query = 'from=2026-11-21T13:00:00%2B01:00&to=&search=e515&outcome=late&sort=slowest'
    await gateway.call(`/api/webhook-executions?limit=5&${query}`, { token })
    const chosen = { from: '2026-11-21T12:00:00.000Z', search: 'e515', outcome: 'late', sort: 'slowest' }
    for (const asked of gateway.peers.asked.slice(-2)) {
      expect(asked.value).toMatchObject(chosen)
      expect(asked.value).not.toHaveProperty('to')
    }
    expect(gateway.peers.asked.at(-1)?.value).toMatchObject({ before: '2' })
  })

  test.each([
    'limit=0',
    'limit=101',
    'offset=-1',
    'overall_status=great',
    'limit=many',
    'from=yesterday',
    'from=2026-11-21',
    'to=2026-11-21T12:00:00',
    'to=9999-12-31T23:59:59-23:00',
    'from=0000-01-01T00:00:00Z',
    'outcome=great',
    'sort=size',
    `search=${'x'.repeat(101)}`,
    'search=%00',
  ])('refuses %s', async (query) => {
    const answer = await gateway.call(`/api/webhook-executions?${query}`, { token })
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_request' } })
  })

  test('shows nobody the executions of another user', async () => {
    const answer = await gateway.call('/api/webhook-executions', { token: gateway.token(bob) })
    expect(answer.body).toEqual({ executions: [], total: 0, has_more: false, next_cursor: null })
  })
})

describe('GET /api/webhook-executions by cursor', () => {
  test('gives the executions behind the page before', async () => {
    const first = await gateway.call('/api/webhook-executions?limit=5', { token })
    expect(first.body).toMatchObject({ next_cursor: '4' })
    const rest = await gateway.call('/api/webhook-executions?limit=5&cursor=4', { token })
    expect(rest.body).toMatchObject({ total: 8, has_more: false, next_cursor: null })
    expect(idsOf(rest.body)).toEqual(['5', '6', '7'])
  })

  test('begins at the beginning with an empty one', async () => {
    const { body } = await gateway.call('/api/webhook-executions?limit=2&cursor=', { token })
    expect(idsOf(body)).toEqual(['0', '1'])
  })
})

describe('GET /api/webhook-executions/export', () => {
  const path = '/api/webhook-executions/export'

  test('gives everything as a table', async () => {
    const answer = await gateway.call(path, { token })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="executions.csv"')
    const lines = String(answer.body).split('\r\n')
    expect(lines.map((line) => line.split(',')[0])).toEqual([
      'id',
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '',
    ])
    expect(lines.filter((line) => line.endsWith(',true')).map((line) => line.split(',')[0])).toEqual(['5'])
  })

  test('gives everything as JSON, of nothing an empty list', async () => {
    const { body } = await gateway.call(`${path}?format=json`, { token })
    expect((body as { id: string }[]).map(({ id }) => id)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
    const empty = await gateway.call(`${path}?format=json`, { token: gateway.token(bob) })
    expect(empty).toMatchObject({ status: 200, body: [] })
  })

  test('hands filters on, and counts nothing', async () => {
    await gateway.call(`${path}?symbol=BTCUSDT&exchange=&sort=oldest`, { token })
    expect(gateway.peers.asked.at(-1)?.value).toMatchObject({
      symbol: 'BTCUSDT',
      sort: 'oldest',
      withTotal: false,
    })
    expect(gateway.peers.asked.at(-1)?.value).not.toHaveProperty('exchange')
  })

  test('refuses another form, and a caller without a session', async () => {
    expect((await gateway.call(`${path}?format=xml`, { token })).status).toBe(422)
    expect((await gateway.call(path)).status).toBe(401)
  })
})

describe('GET /api/webhook-executions/sums', () => {
  test('returns the sums of the executions that the filters choose', async () => {
    const answer = await gateway.call('/api/webhook-executions/sums?search=E503&overall_status=&sort=', {
      token,
    })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        counts: { success: 8, partial: 0, failed: 0, running: 0 },
        refused: 0,
        success_rate: 1,
        execution_time_p50_ms: 3.5,
        execution_time_p95_ms: null,
        filled: [{ coin: 'USDT', amount: '1200.5' }],
        fees: [],
      },
    })
    expect(gateway.peers.asked.at(-1)?.value).toEqual({ userId: ada.sub, search: 'E503' })
  })

  test('refuses an unknown filter, and a caller without a session', async () => {
    const bad = await gateway.call('/api/webhook-executions/sums?outcome=great', { token })
    expect(bad).toMatchObject({ status: 422, body: { code: 'invalid_request' } })
    expect((await gateway.call('/api/webhook-executions/sums')).status).toBe(401)
  })
})

describe('GET /api/webhook-executions/{id}', () => {
  test('returns one execution with its raw body, stages and events', async () => {
    expect(await gateway.call('/api/webhook-executions/3', { token })).toMatchObject({
      status: 200,
      body: {
        id: '3',
        webhook_payload: { message: 'MyBot(BTCUSDT) { market(buy, 1) }', body: '{}' },
        stages: { venue_ms: 1.5 },
        events: [
          {
            at: '2026-11-21T12:00:00.002Z',
            after_ms: 2.125,
            kind: 'order.acknowledged',
            command: 0,
            details: { venue_order_id: '42', round_trip_ms: 1.5 },
          },
        ],
        notification: {
          is_on: true,
          is_known: true,
          sent_at: '2026-11-21T12:00:01.000Z',
          waiting: 0,
          last_error: null,
        },
      },
    })
  })

  test.each(['nonsense', '%00', 'a'.repeat(40)])("has nothing at %s, nor of another user's", async (id) => {
    const answer = await gateway.call(`/api/webhook-executions/${id}`, { token })
    expect(answer).toMatchObject({ status: 404, body: { detail: 'Execution not found' } })
    expect((await gateway.call('/api/webhook-executions/3', { token: gateway.token(bob) })).status).toBe(404)
  })
})

describe('while history is away', () => {
  test.each([
    '/api/webhook-executions',
    '/api/webhook-executions/3',
    '/api/webhook-executions/export',
    '/api/webhook-executions/sums',
  ])('%s is unavailable', async (path) => {
    gateway.peers.leave('history')
    expect(await gateway.call(path, { token })).toMatchObject({
      status: 503,
      body: { code: 'unavailable' },
    })
  })
})

function idsOf(body: unknown): string[] {
  return (body as { executions: { id: string }[] }).executions.map(({ id }) => id)
}

function executionOf(index: number): Execution {
  return {
    id: String(index),
    alertId: AlertId.parse('01KAJ000000000000000000000'),
    createdAt: '2026-11-21T12:00:00.000Z',
    isCloseOnly: index === 5,
    label: 'MyBot',
    exchange: 'paper_futures',
    symbol: 'BTCUSDT',
    status: 'success',
    errorCode: null,
    error: null,
    totalMs: 12.5,
    message: 'MyBot(BTCUSDT) { market(buy, 1) }',
    commands: [
      {
        type: 'market',
        params: { side: 'buy' },
        status: 'success',
        executionTimeMs: 3.25,
        errorCode: null,
        error: null,
        result: { id: '42' },
      },
    ],
  }
}
