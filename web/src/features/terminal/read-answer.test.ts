import { describe, expect, test } from '@jest/globals'
import type { OverallStatus } from '@tripline/proto/alert'
import type { WebhookAnswer } from '@tripline/proto/http/webhook'
import type { ExecutionEnd } from './execution-ends.ts'
import { cardOf } from './read-answer.ts'
import { recordOf } from './response-record.ts'
import { executionsEnded, responseReceived, terminalSlice } from './terminal-slice.ts'

const alertId = '01JD3Q4R5S6T7V8W9X0Y1Z2A3B'
const request = 'MyBot(BTCUSDT) { market(buy, 0.01); balance() }'

const order = {
  id: '8389765',
  client_order_id: 't01',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'market',
  amount: '0.010',
  price: '60000.10',
  filled: '0.010',
  status: 'filled',
  reduce_only: false,
  sizing: '0.01 BTC',
}
const succeeded = { success: true, status: 'success', error: null, error_code: null, execution_time_ms: 6 }
const notRun = {
  success: false,
  status: 'skipped',
  result: null,
  error: null,
  error_code: null,
  execution_time_ms: 0,
}

function answer(change: Partial<WebhookAnswer>): WebhookAnswer {
  return {
    status: 'success',
    message: '',
    error: null,
    alert_id: alertId,
    execution_id: `${alertId}-0`,
    performance: { total_ms: 9 },
    results: [],
    ...change,
  }
}

function withCommands(...results: WebhookAnswer['results'][number]['results']): WebhookAnswer {
  const execution = {
    label: 'MyBot',
    symbol: 'BTCUSDT',
    execution_id: `${alertId}-0`,
    status: 'success' as const,
  }
  return answer({ results: [{ ...execution, results, commands: [] }] })
}

const refused = { status: 'failed', error: 'x', message: 'x', detail: 'x', error_code: 'E202' }

function record(body: unknown, httpStatus = 200, message = request) {
  const about = { id: '1', timestamp: '2026-01-02T03:04:05.006Z', request: message }
  return recordOf({ outcome: 'answered', httpStatus, body, durationMs: 20 }, about)
}

const cardFor = (body: unknown, httpStatus = 200) => cardOf(record(body, httpStatus), ['MyBot'])

describe('a card of the response monitor', () => {
  test('names the order that was made', () => {
    const card = cardFor(withCommands({ ...succeeded, command: 'market', result: order }))
    expect(card).toMatchObject({ status: 'success', title: 'BTCUSDT · MyBot', backendMs: 9 })
    expect(card.rows).toMatchObject([
      {
        name: 'market',
        status: 'success',
        detail: 'buy 0.01 @ 60,000.1 · filled · order 8389765',
        durationMs: 6,
      },
    ])
  })

  test('has every warning and note of its commands and of the message, with its code', () => {
    const warning = { code: 'W704', text: '0.0105 was rounded to 0.010, by more than 1%' }
    const far = { code: 'W707', text: '95000 is more than 50% from the market at 60000' }
    const ran = withCommands(
      { ...succeeded, command: 'market', result: { ...order, warnings: [warning] } },
      {
        ...succeeded,
        command: 'oneCancelsOther',
        result: { orders_count: 1, orders: [{ warnings: [far] }] },
      },
      { ...succeeded, command: 'market', result: { code: 'N802', note: 'BTCUSDT is flat' } },
      { ...succeeded, command: 'market', result: order },
    )
    const diagnostics = [{ code: 'W701', message: 'W701 side and amount are ignored' }]
    const { rows, remarks } = cardFor({ ...ran, diagnostics })
    expect(rows.map((row) => row.remarks)).toEqual([
      [warning],
      [far],
      [{ code: 'N802', text: 'BTCUSDT is flat' }],
      [],
    ])
    expect(rows[2]?.detail).toBe('nothing to do')
    expect(remarks).toEqual([{ code: 'W701', text: 'side and amount are ignored' }])
  })

  test('names the balance, the equity and the position with its profit', () => {
    const result = {
      balance: { coin: 'USDT', total: '10000', free: '9400.50000' },
      equity: '10012.344',
      available: '9400.5',
      position: { side: 'long', quantity: '0.010', entry_price: '60000.1' },
      unrealized_pnl: '12.344',
    }
    const { rows } = cardFor(withCommands({ ...succeeded, command: 'balance', result }))
    const held = 'USDT total 10,000 · free 9,400.50 · equity 10,012.34'
    expect(rows[0]?.detail).toBe(`${held} · long 0.01 @ 60,000.1 · P&L +12.34`)
  })

  test('says why a command failed and that the next was skipped', () => {
    const failed = {
      ...notRun,
      command: 'market',
      status: 'failed',
      error: 'not enough balance',
      error_code: 'E506',
    }
    const { rows } = cardFor(withCommands(failed, { ...notRun, command: 'balance' }))
    expect(rows.map(({ detail }) => detail)).toEqual(['E506 not enough balance', 'skipped'])
  })

  test('lists the diagnostics of a refused message', () => {
    const diagnostics = [
      { code: 'E202', message: 'E202 unknown command "buy"' },
      { code: 'E503', message: 'E503 100000.000 is above the maximum quantity 120' },
    ]
    const card = cardFor({ ...refused, diagnostics }, 400)
    expect(card).toMatchObject({ status: 'failed', title: 'MyBot → market → balance' })
    expect(card.rows.map(({ name, detail }) => [name, detail])).toEqual([
      ['E202', 'unknown command "buy"'],
      ['E503', '100,000 is above the maximum quantity 120'],
    ])
  })

  test('names a refusal without a number in words', () => {
    const detail = 'This webhook is switched off. Nothing was executed.'
    const { rows } = cardFor({ ...refused, error_code: 'webhook_inactive', detail, diagnostics: [] }, 409)
    expect(rows).toMatchObject([{ name: 'webhook inactive', detail }])
  })

  test('shows the status of an answer that is not the product’s', () => {
    expect(cardFor('<html>Bad gateway</html>', 502)).toMatchObject({
      status: 'failed',
      rows: [{ name: 'HTTP 502', detail: '' }],
    })
  })

  test('counts no answer at all as status 500, and says that the message may have arrived', () => {
    const about = { id: '1', timestamp: '2026-01-02T03:04:05.006Z', request }
    const unanswered = recordOf({ outcome: 'unanswered', error: 'Failed to fetch', durationMs: 3 }, about)
    expect(unanswered).toMatchObject({ httpStatus: 500, success: false })
    expect(cardOf(unanswered, [])).toMatchObject({
      status: 'failed',
      rows: [{ name: 'no answer', detail: expect.stringContaining('may or may not have arrived') }],
    })
  })
})

describe('an accepted alert', () => {
  const twoBlocks = 'MyBot(BTCUSDT) { market(buy, 0.01) } Bot2(ETHUSDT) { market(buy, 0.1) }'
  const asJson = (bot: string) => ({ bot, symbol: 'BTCUSDT', commands: [{ type: 'balance' }] })
  const [first, second] = [`${alertId}-0`, `${alertId}-1`]

  const cardAfter = (message: string, ...ends: ExecutionEnd[]) => {
    const accepted = responseReceived(record(answer({ status: 'accepted' }), 202, message))
    const actions = [accepted, ...ends.map((end) => executionsEnded([end]))]
    const { responses } = actions.reduce(terminalSlice.reducer, terminalSlice.getInitialState())
    return responses.map((each) => cardOf(each, []))[0]
  }
  const ended = (executionId: string, status: OverallStatus = 'success') => ({ executionId, status })

  test('stays neutral until its own execution is done', () => {
    const another = ended('01JD3Q4R5S6T7V8W9X0Y1Z2A3C-0', 'failed')
    expect(cardAfter(request)?.status).toBe('accepted')
    expect(cardAfter(request, another)?.status).toBe('accepted')
    expect(cardAfter(request, another, ended(first))?.status).toBe('success')
  })

  test.each([
    ['text', twoBlocks],
    ['JSON', JSON.stringify([asJson('MyBot'), asJson('Bot2')])],
  ])('of two blocks, written as %s, stays neutral until both are done', (_form, message) => {
    expect(cardAfter(message, ended(first))?.status).toBe('accepted')
    expect(cardAfter(message, ended(first), ended(first))?.status).toBe('accepted')
    expect(cardAfter(message, ended(second), ended(first))?.status).toBe('success')
    expect(cardAfter(message, ended(first), ended(second, 'failed'))?.status).toBe('partial')
  })

  test('that is refused after all has failed as a whole, and is shown under its own id', () => {
    expect(cardAfter(twoBlocks, ended(alertId, 'failed'))).toMatchObject({
      status: 'failed',
      executionId: alertId,
    })
  })
})

test.each([
  ['an execution', answer({}), `${alertId}-0`],
  ['an alert that was refused', { ...refused, alert_id: alertId }, alertId],
  ['a message that never became an alert', refused, undefined],
])('%s is found in the history by its own id', (_name, body, id) => {
  expect(cardFor(body).executionId).toBe(id)
})
