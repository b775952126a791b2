import { describe, expect, test } from '@jest/globals'
import type { OrderOutcome } from '@tripline/proto/command-result'
import { factsOf } from './result-facts.ts'

const order: OrderOutcome = {
  id: '77',
  client_order_id: 't1',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'market',
  amount: '0.010',
  price: '60000.10',
  filled: '0.010',
  status: 'filled',
  reduce_only: false,
  sizing: '0.01 base',
  fee: { amount: '0.2400', coin: 'USDT' },
  warnings: [{ code: 'W704', text: 'rounded' }],
}

const lines = (result: Record<string, unknown> | null) =>
  factsOf(result).map(({ name, value }) => `${name}: ${value}`)

describe('the facts of a result', () => {
  test('of an order are its id, how much of it was filled at which price, and its warnings', () => {
    expect(lines({ ...order })).toEqual([
      'order: 77',
      'status: filled, 0.01 of 0.01 filled',
      'price: 60,000.1',
      'fee: 0.24 USDT',
      'sizing: 0.01 base',
      'W704: rounded',
    ])
  })

  test.each([
    ['filled', order.fee, 'fee: 0.24 USDT'],
    ['filled', null, 'fee: not reported in time'],
    ['partially_filled', order.fee, 'fee so far: 0.24 USDT'],
    ['partially_filled', null, undefined],
  ] as const)('of an order that is %s show how much of its fee is known', (status, fee, line) => {
    expect(lines({ ...order, status, fee }).find((each) => each.startsWith('fee'))).toBe(line)
  })

  test('of a close are also the orders that ended with the position', () => {
    const ended = [{ execution_id: '01-0', command: 1, client_order_ids: ['t1', 't2'] }]
    const said = 'besides: 2 orders ended with the position'
    expect(lines({ ...order, ended })).toContain(said)
    expect(lines({ code: 'N802', note: 'BTCUSDT is flat', ended })).toEqual([said, 'N802: BTCUSDT is flat'])
  })

  test('of a sale are the orders that it took back, in one line', () => {
    const stop = { id: '5', client_order_id: 't5', side: 'sell', type: 'stop', filled: '0' } as const
    const limit = { ...stop, type: 'limit', amount: '0.020', price: '62000', stands_again: null }
    const half = { ...stop, amount: '0.020', price: '58000.0', stands_again: '0.010' }
    expect(lines({ ...order, side: 'sell', taken_back: [half, limit] })).toContain(
      'taken back: stop sell 0.02 @ 58,000, again for 0.01; limit sell 0.02 @ 62,000',
    )
  })

  test('of a protection and of a group are a line for each order', () => {
    const line = 'market buy 0.01 @ 60,000.1, filled, order 77'
    expect(lines({ stopLoss: order, takeProfit: null })).toEqual([`stop loss: ${line}`, 'W704: rounded'])
    const far = { ...order, warnings: [{ code: 'W707', text: 'far' }] }
    expect(lines({ orders_count: 2, orders: [order, far], kept_by: 'venue' })).toEqual([
      `order 1: ${line}`,
      `order 2: ${line}`,
      'managed by: the exchange',
      'W704: rounded',
      'W707: far',
    ])
    expect(lines({ undone: [far] })).toEqual([`undone 1: ${line}`, 'W707: far'])
    const heldOrder = { ...order, id: '', type: 'limit', status: 'held', price: '62000.0' } as const
    expect(lines({ stopLoss: null, takeProfit: heldOrder })).toEqual([
      'take profit: limit buy 0.01 @ 62,000, held',
      'W704: rounded',
    ])
  })

  test('of a balance are the coins and the position', () => {
    const result = {
      balance: { coin: 'USDT', total: '100.50', free: '80' },
      equity: '101.25438271',
      available: '80',
      position: { side: 'long', quantity: '0.100', entry_price: '59000.10555202' },
      unrealized_pnl: '1.28573387',
    }
    expect(lines(result)).toEqual([
      'USDT: 100.50 total, 80 free',
      'equity: 101.25',
      'position: long 0.1 @ 59,000.106',
      'unrealized: 1.29',
    ])
  })

  test('of a wait are how long it was, and no moment in milliseconds', () => {
    expect(lines({ duration: 4000, woke_at: 1795386722341.3977 })).toEqual(['waited: 4.0 s'])
  })

  test('of a cancel are how many orders it took, and of settings the changed ones, once', () => {
    expect(lines({ cancelled_count: 1 })).toEqual(['canceled: 1 order'])
    expect(lines({ cancelled_count: 2 })).toEqual(['canceled: 2 orders'])
    const note = 'leverage set to 10; the margin mode was left alone'
    expect(lines({ changed: true, leverage: '10', note })).toEqual([`settings: ${note}`])
  })

  test('of an order that waits at the exchange say so in words', () => {
    const waiting = { ...order, type: 'takeProfit', status: 'untriggered' }
    expect(lines({ stopLoss: null, takeProfit: waiting })).toContain(
      'take profit: take profit buy 0.01 @ 60,000.1, waiting, order 77',
    )
  })

  test('are none where there is no result', () => {
    expect(lines(null)).toEqual([])
    expect(lines({ code: 'N802', note: 'nothing to cancel' })).toEqual(['N802: nothing to cancel'])
  })
})
