import { describe, expect, test } from '@jest/globals'
import type { BlockPlan, PlannedCommand, PlannedOrder } from '@tripline/proto/plan'
import { planLines } from './plan-lines.ts'

const order: PlannedOrder = {
  type: 'market',
  side: 'buy',
  quantity: '0.010',
  reduce_only: false,
  position_side: 'both',
  sizing: '0.01 BTC',
  warnings: [],
}
const ordered = (...orders: PlannedOrder[]): PlannedCommand => ({
  command: 'market',
  outcome: 'orders',
  orders,
  group: null,
  cancels: [],
  note: null,
  error_code: null,
  error: null,
})
const block: BlockPlan = {
  label: 'MyBot',
  symbol: 'BTCUSDT',
  exchange: 'paper_futures',
  market: null,
  outcome: 'planned',
  commands: [],
  error_code: null,
  error: null,
}
const textsOf = (...commands: PlannedCommand[]) => planLines({ ...block, commands }).map(({ text }) => text)

describe('the lines of a plan', () => {
  test.each<[Partial<PlannedOrder>, string]>([
    [{}, 'buy 0.01 at market'],
    [{ quantity: '0', quote_quantity: '100' }, 'buy for 100 at market'],
    [{ type: 'limit', price: '58000' }, 'buy 0.01 @ 58,000'],
    [
      { type: 'stop', side: 'sell', trigger: 'mark', trigger_price: '57000', reduce_only: true },
      'sell 0.01 stop at mark 57,000 · reduce only',
    ],
    [{ type: 'stopLimit', trigger_price: '57000', price: '56900' }, 'buy 0.01 stop-limit at 57,000 @ 56,900'],
  ])('show the order %j', (change, text) => {
    expect(textsOf(ordered({ ...order, ...change }))).toEqual([text])
  })

  test('show every leg, with its arithmetic and its warnings', () => {
    const legs = ordered(order, {
      ...order,
      sizing: '50% of equity = 300 USDT',
      pricing: '1% from 60000 = 59400',
      warnings: [{ code: 'W704', text: 'W704 rounded down' }],
    })
    expect(planLines({ ...block, commands: [legs] })).toMatchObject([
      { key: '0.0', reason: '', warnings: [] },
      {
        key: '0.1',
        reason: '50% of equity = 300 USDT · 1% from 60,000 = 59,400',
        warnings: [{ code: 'W704', text: 'W704 rounded down' }],
      },
    ])
  })

  test('show commands that place no order', () => {
    const plain = { ...ordered(), orders: [] }
    expect(
      textsOf(
        { ...plain, outcome: 'refused', error_code: 'E506', error: 'not enough balance' },
        { ...plain, outcome: 'skipped' },
        { ...plain, outcome: 'nothing', note: 'nothing to close' },
      ),
    ).toEqual([
      'E506 not enough balance',
      'skipped: an earlier command would be rejected',
      'nothing to close',
    ])
  })

  test.each(['refused', 'unknown'] as const)('show that the whole block is %s', (outcome) => {
    const plan = { ...block, outcome, error_code: 'E401', error: 'unknown symbol' }
    expect(planLines(plan)).toMatchObject([{ outcome, code: 'E401', text: 'E401 unknown symbol' }])
  })
})
