import { expect, test } from '@jest/globals'
import { feeByFills } from './answers.ts'
import { readAlgoOrder, readFuturesOrder } from './orders/futures-answers.ts'
import { readSpotOrder } from './orders/spot-answers.ts'
import { readAll } from './read-rows.ts'

const row = {
  symbol: 'BTCUSDT',
  orderId: 1,
  clientOrderId: 'by-hand',
  side: 'SELL',
  status: 'NEW',
  type: 'LIMIT',
  origQty: '0.01000',
  executedQty: '0.00000',
  cummulativeQuoteQty: '0.00',
  avgPrice: '0.00',
  price: '61000.00',
  reduceOnly: false,
}

test.each([
  ['PENDING_NEW', 'LIMIT', 'open'],
  ['PENDING_NEW', 'STOP_LOSS', 'untriggered'],
  ['PENDING_CANCEL', 'LIMIT', 'open'],
])('a spot order that is %s as part of a list, of type %s, is %s', (status, type, expected) => {
  expect(readSpotOrder({ ...row, status, type })).toMatchObject({ status: expected })
})

test.each([
  ['of a status that nobody knows', { status: 'PENDING_SOMETHING' }, 'limit'],
  ['of a type that nobody knows', { type: 'TRAILING_SOMETHING' }, 'other'],
  ['without an amount that can be read', { origQty: '' }, 'limit'],
])('a row %s is an open order, and hides none of the others', (_name, differing, type) => {
  const rows = [{ ...row, orderId: 2, clientOrderId: 'strange', ...differing }, row]
  for (const read of [readSpotOrder, readFuturesOrder]) {
    expect(readAll(rows, (one) => read(one))).toMatchObject([
      { venueOrderId: '2', clientOrderId: 'strange', side: 'sell', status: 'open', type },
      { venueOrderId: '1', type: 'limit', quantity: '0.01' },
    ])
  }
})

test.each([
  ['NEW_ADL', '0.01000', 'filled'],
  ['NEW_ADL', '0.00400', 'partially_filled'],
  ['NEW_INSURANCE', '0.00000', 'open'],
  ['SOMETHING_NEW', '0.01000', 'filled'],
  [undefined, '0.00400', 'partially_filled'],
  ['NEW', '0.00400', 'open'],
])('an order whose status is %s, with %s of 0.01 filled, is %s', (status, executedQty, expected) => {
  for (const read of [readSpotOrder, readFuturesOrder])
    expect(read({ ...row, status, executedQty }).status).toBe(expected)
})

test.each(['-1.00000000', '0.00000000', undefined])(
  'a spot order that is filled for a value of %s has no mean price that is known',
  (cummulativeQuoteQty) => {
    const order = { ...row, status: 'FILLED', executedQty: '0.01000', cummulativeQuoteQty }
    expect(readSpotOrder(order)).toMatchObject({ status: 'filled', averagePrice: null })
  },
)

test.each(['CANCELED', 'EXPIRED', 'EXPIRED_IN_MATCH'])(
  'an order that is %s is not taken for one without fills where nothing says how far it was filled',
  (status) => {
    for (const executedQty of [undefined, null, '', 'NaN']) {
      const answer = { ...row, status, executedQty, cummulativeQuoteQty: '300.00', avgPrice: '60000.00' }
      for (const read of [readSpotOrder, readFuturesOrder])
        expect(() => read(answer)).toThrow('no filled quantity')
    }
  },
)

test('a conditional order of which not all can be read is canceled as one', () => {
  const algo = { algoId: 7, clientAlgoId: 'closes-all', side: 'SELL', quantity: '', algoStatus: 'ARMED' }
  expect(readAlgoOrder(algo).order).toMatchObject({
    venueOrderId: '7',
    clientOrderId: 'closes-all',
    isConditional: true,
    status: 'untriggered',
    type: 'other',
  })
})

test.each([
  ['0.010', 'filled'],
  ['0.004', 'canceled'],
  ['0', 'canceled'],
  // Which of the two, nothing says.
  [undefined, 'open'],
])('a conditional order that is finished with %s of 0.010 is %s', (actualQty, status) => {
  const algo = { algoId: 7, clientAlgoId: 'ours', side: 'SELL', quantity: '0.010', algoStatus: 'FINISHED' }
  expect(readAlgoOrder({ ...algo, actualQty }).order).toMatchObject({ status })
})

test.each([
  ['0.0007', 'filled'],
  ['0', 'canceled'],
])('one that closes all, and is finished with %s, is %s', (actualQty, status) => {
  const algo = { algoId: 7, clientAlgoId: 'ours', side: 'SELL', quantity: '0', closePosition: true }
  expect(readAlgoOrder({ ...algo, algoStatus: 'FINISHED', actualQty }).order).toMatchObject({ status })
})

test('a list whose row has no id cannot be read', () => {
  expect(() => readAll([{ side: 'SELL' }], (one) => readSpotOrder(one))).toThrow()
})

test.each([
  ['the fills of all of it', '0.03', { coin: 'BNB', amount: '0.003' }],
  ['fewer than it has: they are behind it', '0.04', undefined],
])('the fee of an order is reported by %s', (_what, filled, fee) => {
  const fills = [
    { qty: '0.01', commission: '0.001', commissionAsset: 'BNB' },
    { qty: '0.02', commission: '0.002', commissionAsset: 'BNB' },
  ]
  expect(feeByFills(fills, { filled })).toEqual(fee)
})
