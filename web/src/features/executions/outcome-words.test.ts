import { expect, test } from '@jest/globals'
import { isLate, isRefused, outcomeWords, unknownBotWords } from './outcome-words.ts'
import { sampleCommand, sampleExecution } from './sample-execution.ts'

const order = {
  id: '4000000003',
  client_order_id: 't1',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'market',
  amount: '0.020',
  price: '59981.70000000',
  filled: '0.020',
  status: 'filled',
  reduce_only: false,
  sizing: 'base 0.02',
}
const stop = { ...order, side: 'sell', type: 'stop', filled: '0', status: 'untriggered', price: null }
const protection = {
  stopLoss: { ...stop, triggerPrice: '59381.0' },
  takeProfit: { ...stop, type: 'takeProfit', triggerPrice: '61181.00' },
}

const words = (...results: (Record<string, unknown> | null)[]) =>
  outcomeWords(sampleExecution({ commands_executed: results.map((result) => sampleCommand({ result })) }))
    .map(({ text }) => text)
    .join(' · ')

test('a bought size with its stop and its target reads on one line', () => {
  expect(words(order, protection)).toBe('BUY 0.02 @ 59,981.7 · SL 59,381 · TP 61,181')
})

test.each([
  [{ ...order, type: 'limit', status: 'open', filled: '0', price: '59000' }, 'LIMIT BUY 0.02 @ 59,000'],
  [{ ...order, status: 'partially_filled', filled: '0.005' }, 'BUY 0.005 of 0.02 @ 59,981.7'],
  [{ ...order, status: 'canceled', filled: '0', price: null }, 'BUY 0.02 canceled'],
  [{ ...order, slippage_percent: '0.1249' }, 'BUY 0.02 @ 59,981.7 (slippage 0.12%)'],
  [{ ...order, slippage_percent: '0.0040' }, 'BUY 0.02 @ 59,981.7'],
  [{ ...stop, triggerPrice: '59381' }, 'STOP SELL 0.02 @ 59,381'],
  [
    { orders_count: 1, orders: [{ ...stop, triggerPrice: '59381' }], kept_by: 'venue' },
    'STOP SELL 0.02 @ 59,381',
  ],
  [{ cancelled_count: 1, cancelled: [] }, '1 order canceled'],
  [{ code: 'N802', note: 'flat' }, 'nothing to do'],
  [{ duration: 4000, woke_at: 1 }, 'waited 4.0 s'],
  [{ changed: true, leverage: '10', margin_mode: 'cross', position_mode: null, note: '' }, '10x cross'],
  [
    {
      balance: { coin: 'USDT', total: '9998.55000000', free: '1' },
      equity: '1',
      available: '1',
      position: null,
      unrealized_pnl: '0',
    },
    '9,998.55 USDT',
  ],
  [null, ''],
  [{ something: 'else' }, ''],
])('%j reads "%s"', (result, text) => {
  expect(words(result)).toBe(text)
})

test('a failed command shows its code and its meaning', () => {
  const failed = sampleCommand({ status: 'failed', error_code: 'E503', error_message: '9 is above 5' })
  const execution = sampleExecution({ commands_executed: [sampleCommand({ result: order }), failed] })
  expect(outcomeWords(execution)).toEqual([
    { index: 0, text: 'BUY 0.02 @ 59,981.7', isFailure: false },
    { index: 1, text: 'E503 above the maximum quantity', isFailure: true },
  ])
})

test('an execution with E515 is late, one with the id of its alert is refused', () => {
  const late = sampleCommand({ status: 'failed', error_code: 'E515' })
  expect(isLate(sampleExecution({ commands_executed: [late] }))).toBe(true)
  expect(isLate(sampleExecution())).toBe(false)
  expect(isRefused(sampleExecution({ id: 'a' }))).toBe(true)
  expect(isRefused(sampleExecution())).toBe(false)
})

test.each([
  ['E201', 'unknown bot'],
  ['E101', 'no bot named'],
  ['E103', 'no bot named'],
  ['E208', 'not read'],
  ['E404', 'not read'],
  ['webhook_inactive', 'not read'],
  [null, 'not read'],
])('of an alert without a bot that was refused with %s it is said "%s"', (code, words) => {
  expect(unknownBotWords(sampleExecution({ api_key_label: null, error_code: code }))).toBe(words)
})
