import { expect, test } from '@jest/globals'
import { commandDetail } from './command-detail.ts'

const detailOf = (result: Record<string, unknown> | null, change: object = {}) =>
  commandDetail({
    command: 'any',
    success: true,
    status: 'success',
    result,
    error: null,
    error_code: null,
    execution_time_ms: 1,
    ...change,
  })

const order = (triggerPrice: string) => ({
  id: '1',
  client_order_id: 't01',
  symbol: 'BTCUSDT',
  side: 'sell',
  type: 'stop',
  amount: '0.010',
  price: null,
  triggerPrice,
  filled: '0',
  status: 'untriggered',
  reduce_only: true,
  sizing: '',
})

const sale = { ...order('59000'), triggerPrice: null, price: '60000.10', status: 'filled' }

const taken = (again: string | null) => ({
  ...{ id: '2', client_order_id: 't2', side: 'sell', type: 'stop', amount: '0.010' },
  ...{ filled: '0', price: '59000', stands_again: again },
})

const ended = (...ids: string[]) => [{ execution_id: '01-0', command: 1, client_order_ids: ids }]

test.each([
  [
    { ...order('59000.50'), ended: [...ended('t1', 't2'), ...ended('t3')] },
    'sell 0.01 · trigger 59,000.5 · waiting · order 1 · 3 orders ended with the position',
  ],
  [
    { code: 'N802', note: 'BTCUSDT is flat', ended: ended('t1') },
    'nothing to do · 1 order ended with the position',
  ],
  [order('59000.50'), 'sell 0.01 · trigger 59,000.5 · waiting · order 1'],
  [{ ...order('59000'), price: '59000.0' }, 'sell 0.01 · trigger 59,000 · waiting · order 1'],
  [{ ...order('59000'), price: '58900' }, 'sell 0.01 @ 58,900 · trigger 59,000 · waiting · order 1'],
  [sale, 'sell 0.01 @ 60,000.1 · filled · order 1'],
  [
    { ...sale, taken_back: [taken(null), taken(null)] },
    'sell 0.01 @ 60,000.1 · filled · order 1 · 2 orders taken back for it',
  ],
  [
    { ...sale, taken_back: [taken('0.005')] },
    'sell 0.01 @ 60,000.1 · filled · order 1 · 1 order taken back for it, placed again for what is left',
  ],
  [
    { ...sale, taken_back: [taken('0.005'), taken(null)] },
    'sell 0.01 @ 60,000.1 · filled · order 1 · 2 orders taken back for it, 1 placed again for what is left',
  ],
  [{ cancelled_count: 1, cancelled: [] }, '1 order canceled'],
  [{ code: 'N802', note: 'no such order', cancelled_count: 0, cancelled: [] }, 'nothing to do'],
  [{ cancelled_count: 3, cancelled: [] }, '3 orders canceled'],
  [{ duration: 1500, woke_at: 1 }, 'waited 1.5 s'],
  [
    {
      orders_count: 2,
      orders: [order('59000.50'), { ...order('61000'), price: '61000', triggerPrice: null, status: 'open' }],
      kept_by: 'venue',
    },
    '2 orders · stop sell 0.01 @ 59,000.5 waiting · limit sell 0.01 @ 61,000 open · managed by the exchange',
  ],
  [
    { stopLoss: order('59000.50'), takeProfit: order('61000') },
    'stop loss @ 59,000.5 waiting · take profit @ 61,000 waiting',
  ],
  [{ stopLoss: null, takeProfit: order('61000') }, 'take profit @ 61,000 waiting'],
  [
    { changed: true, leverage: '10', margin_mode: 'cross', position_mode: null, note: '' },
    'leverage 10x, cross',
  ],
  [
    {
      changed: false,
      leverage: '10',
      margin_mode: null,
      position_mode: null,
      note: 'leverage is 10 already',
    },
    'leverage is 10 already',
  ],
  [{ code: 'N802', note: 'nothing to close' }, 'nothing to do'],
  [{ anything: 'else' }, '{"anything":"else"}'],
  [null, 'success'],
])('of the result %j the line says %s', (result, line) => {
  expect(detailOf(result)).toBe(line)
})

test('an error says its code once', () => {
  const failed = { error: 'not enough balance', error_code: 'E506' }
  expect(detailOf(null, failed)).toBe('E506 not enough balance')
  expect(detailOf(null, { ...failed, error: 'E506 not enough balance' })).toBe('E506 not enough balance')
})
