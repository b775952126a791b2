import { describe, expect, test } from '@jest/globals'
import type { OrderOutcome } from '@tripline/proto/command-result'
import type { FlightView } from '@tripline/proto/http/execution'
import { presentResult } from './present-result.ts'
import { factsOf } from './result-facts.ts'

type FlightEvent = FlightView['events'][number]

const idOf = (leg: number, revision = 0) => `t01M8FDZP78KBRR1P3W6ZDYED0W001${leg}${revision}`

const order = (leg: number, changed: Partial<OrderOutcome> = {}): OrderOutcome => ({
  id: `400${leg}`,
  client_order_id: idOf(leg),
  symbol: 'BTCUSDT',
  side: 'sell',
  type: 'limit',
  amount: '0.01',
  price: '62000',
  filled: '0',
  status: 'open',
  reduce_only: true,
  sizing: '0.01 BTC',
  ...changed,
})

const stop = order(0, { type: 'stop', price: '59000', triggerPrice: '59000', status: 'untriggered' })
const pair = { orders_count: 2, orders: [stop, order(1)], kept_by: 'executor' }

const event = (kind: string, details = {}): FlightEvent => ({
  at: '2026-11-27T21:00:00.000Z',
  after_ms: 1,
  kind,
  command: 0,
  details,
})
const ended = (leg: number, changed = {}) => ({
  client_order_id: idOf(leg),
  venue_order_id: `400${leg}`,
  quantity: '0.01',
  filled: '0',
  average_price: null,
  ...changed,
})
const filledStop = event(
  'order.filled',
  ended(0, { filled: '0.01', average_price: '58900', fee: { amount: '0.2945', coin: 'USDT' } }),
)
const canceledLimit = event('order.canceled', ended(1))
const answered = event('command.finished')

const linesOf = (result: Record<string, unknown> | null, events: FlightEvent[]) =>
  factsOf(presentResult(result, events)).map(({ name, value }) => `${name}: ${value}`)

describe('the result of a command as its orders stand now', () => {
  test('is the answer where nothing was reported behind it', () => {
    const acknowledged = [
      event('order.acknowledged', ended(0)),
      event('order.acknowledged', ended(1)),
      answered,
    ]
    const lines = [
      'order 1: stop sell 0.01 @ 59,000, waiting, order 4000',
      'order 2: limit sell 0.01 @ 62,000, open, order 4001',
      'managed by: Tripline',
    ]
    expect(linesOf(pair, acknowledged)).toEqual(lines)
    expect(linesOf(pair, [])).toEqual(lines)
    expect(linesOf(null, [answered])).toEqual([])
    expect(linesOf({ cancelled_count: 2 }, [canceledLimit])).toEqual(['canceled: 2 orders'])
  })

  test('of a group shows which order filled, and that the others ended by it', () => {
    expect(linesOf(pair, [answered, filledStop, canceledLimit])).toEqual([
      'order 1: stop sell 0.01 @ 59,000, filled at 58,900, order 4000',
      'order 2: limit sell 0.01 @ 62,000, canceled by its group, order 4001',
      'managed by: Tripline',
    ])
    const protection = { stopLoss: stop, takeProfit: order(1) }
    expect(linesOf(protection, [answered, filledStop, canceledLimit])).toEqual([
      'stop loss: stop sell 0.01 @ 59,000, filled at 58,900, order 4000',
      'take profit: limit sell 0.01 @ 62,000, canceled by its group, order 4001',
    ])
  })

  test('of a group whose orders were canceled by something else does not say that it was the group', () => {
    const [first, second] = linesOf(pair, [answered, event('order.canceled', ended(0)), canceledLimit])
    expect(first).toBe('order 1: stop sell 0.01 @ 59,000, canceled, order 4000')
    expect(second).toBe('order 2: limit sell 0.01 @ 62,000, canceled, order 4001')
  })

  test('of an order alone shows its fill and its fee, or how much was filled before it was canceled', () => {
    const fill = ended(1, { filled: '0.01', average_price: '62010.5', fee: { amount: '0.24', coin: 'USDT' } })
    expect(linesOf({ ...order(1) }, [answered, event('order.filled', fill)])).toEqual([
      'order: 4001',
      'status: filled at 62,010.5, 0.01 of 0.01 filled',
      'price: 62,000',
      'fee: 0.24 USDT',
      'sizing: 0.01 BTC',
    ])
    const part = ended(1, { filled: '0.004', average_price: '62000' })
    expect(linesOf({ ...order(1) }, [answered, event('order.canceled', part)])).toContain(
      'status: canceled, 0.004 of 0.01 filled',
    )
    expect(linesOf(pair, [answered, event('order.canceled', part)])[1]).toBe(
      'order 2: limit sell 0.01 @ 62,000, canceled, 0.004 filled, order 4001',
    )
  })

  test('follows an order that was placed in place of one, whose own end is no news of it', () => {
    const smaller = ended(0, { client_order_id: idOf(0, 1), venue_order_id: '5000', quantity: '0.006' })
    const replaced = [answered, event('order.acknowledged', smaller), event('order.canceled', ended(0))]
    expect(linesOf(pair, replaced)[0]).toBe('order 1: stop sell 0.006 @ 59,000, waiting, order 5000')
    const filled = event('order.filled', { ...smaller, filled: '0.006', average_price: '58990' })
    expect(linesOf(pair, [...replaced, filled, canceledLimit]).slice(0, 2)).toEqual([
      'order 1: stop sell 0.006 @ 59,000, filled at 58,990, order 5000',
      'order 2: limit sell 0.01 @ 62,000, canceled by its group, order 4001',
    ])
  })

  test('of an order that was held shows its exchange id once it is placed', () => {
    const group = { ...pair, orders: [stop, order(1, { id: '', status: 'held' })] }
    expect(linesOf(group, [answered])[1]).toBe('order 2: limit sell 0.01 @ 62,000, held')
    const placed = event('order.acknowledged', ended(1, { filled: '0.003', average_price: '62000' }))
    expect(linesOf(group, [answered, placed])[1]).toBe(
      'order 2: limit sell 0.01 @ 62,000, partially filled, order 4001',
    )
  })
})
