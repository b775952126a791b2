import { describe, expect, test } from '@jest/globals'
import { OrderRow, readOrder, turnedDown, withUnit } from './read-order.ts'

const row = {
  orderId: 'a',
  orderLinkId: 'ours',
  symbol: 'BTCUSDT',
  side: 'Buy',
  orderType: 'Limit',
  orderStatus: 'New',
  rejectReason: 'EC_NoError',
  timeInForce: 'GTC',
  stopOrderType: '',
  qty: '0.010',
  price: '59000.0',
  avgPrice: '',
  triggerPrice: '',
  cumExecQty: '0.000',
  cumExecFee: '0',
  reduceOnly: false,
  updatedTime: '1700000000000',
}

function read(differing: Partial<Record<keyof OrderRow, unknown>>, feeCoin?: string) {
  return readOrder(OrderRow.parse({ ...row, ...differing }), feeCoin)
}

test('an order is read with fields that the venue leaves empty as null', () => {
  expect(read({})).toEqual({
    venueOrderId: 'a',
    clientOrderId: 'ours',
    side: 'buy',
    status: 'open',
    type: 'limit',
    quantity: '0.01',
    filled: '0',
    averagePrice: null,
    price: '59000',
    triggerPrice: null,
    isConditional: false,
    reduceOnly: false,
    fee: null,
    updatedAt: 1_700_000_000_000,
  })
})

describe('the status', () => {
  test.each([
    ['canceled', { orderStatus: 'Cancelled', rejectReason: 'EC_PerCancelRequest', timeInForce: 'IOC' }],
    ['canceled', { orderStatus: 'Cancelled', rejectReason: 'EC_NoError' }],
    ['canceled', { orderStatus: 'PartiallyFilledCanceled', cumExecQty: '0.004' }],
    ['canceled', { orderStatus: 'Deactivated', timeInForce: 'IOC' }],
    ['expired', { orderStatus: 'Cancelled', rejectReason: 'EC_NoImmediateQtyToFill', timeInForce: 'IOC' }],
    ['expired', { orderStatus: 'Cancelled', rejectReason: 'EC_CancelForNoFullFill', timeInForce: 'FOK' }],
    ['rejected', { orderStatus: 'Cancelled', rejectReason: 'EC_PostOnlyWillTakeLiquidity' }],
    ['rejected', { orderStatus: 'Rejected', rejectReason: 'EC_Others' }],
    // nautilus_trader 475a75fea2, 2025-10: the venue rejects what is left of an order that was filled in part.
    ['expired', { orderStatus: 'Rejected', rejectReason: 'EC_Others', cumExecQty: '0.004' }],
    ['untriggered', { orderStatus: 'Untriggered' }],
    ['open', { orderStatus: 'Triggered' }],
  ])('is %s for %j', (status, differing) => {
    expect(read(differing)).toMatchObject({ status })
  })
})

describe('the type of a conditional order', () => {
  const stop = { stopOrderType: 'Stop', triggerPrice: '61000', orderType: 'Market' }

  test.each([
    ['stop', { ...stop, side: 'Buy', triggerDirection: 1 }],
    ['takeProfit', { ...stop, side: 'Buy', triggerDirection: 2 }],
    ['stop', { ...stop, side: 'Sell', triggerDirection: 2 }],
    ['takeProfitLimit', { ...stop, side: 'Sell', triggerDirection: 1, orderType: 'Limit' }],
    ['stop', { ...stop, side: 'Buy', triggerDirection: 0, lastPriceOnCreated: '60000' }],
    ['takeProfit', { ...stop, side: 'Sell', triggerDirection: 0, lastPriceOnCreated: '60000' }],
    ['stop', { ...stop, stopOrderType: 'StopLoss', side: 'Sell' }],
    ['takeProfitLimit', { ...stop, stopOrderType: 'PartialTakeProfit', side: 'Sell', orderType: 'Limit' }],
    ['other', { ...stop, stopOrderType: 'TrailingStop' }],
    // Until its price is reached from which it trails.
    ['other', { ...stop, stopOrderType: 'TrailingStop', orderStatus: 'Untriggered', triggerPrice: '' }],
  ])('is %s for %j', (type, differing) => {
    expect(read(differing)).toMatchObject({ type, isConditional: true })
  })
})

describe('fees', () => {
  test('are in the coin that the venue names', () => {
    const paid = { cumExecFee: '0.1', cumFeeDetail: { BTC: '0.00001' } }
    expect(read(paid, 'USDT').fee).toEqual({ coin: 'BTC', amount: '0.00001' })
    const beside = { cumFeeDetail: { USDT: '0', MNT: '0.002' } }
    expect(read(beside, 'USDT').fee).toEqual({ coin: 'MNT', amount: '0.002' })
  })

  test('are not reported where they were taken in more than one coin', () => {
    expect(read({ cumExecFee: '0.1', cumFeeDetail: { USDT: '0.1', MNT: '0.002' } }, 'USDT').fee).toBeNull()
    expect(read({ cumFeeDetail: { USDT: '0', MNT: '0' } }).fee).toEqual({ coin: 'USDT', amount: '0' })
  })

  test('are in the coin of the market where the venue names none', () => {
    expect(read({ cumExecFee: '0.33', cumFeeDetail: {} }, 'USDT').fee).toEqual({
      coin: 'USDT',
      amount: '0.33',
    })
    expect(read({ cumExecFee: '0.33', cumFeeDetail: null }).fee).toBeNull()
  })
})

test('a purchase by value has the quantity that it came to', () => {
  const byValue = { orderType: 'Market', marketUnit: 'quoteCoin', qty: '600', cumExecQty: '0.01', price: '0' }
  expect(read(byValue)).toMatchObject({ quantity: '0.01', price: null })
})

// In the shape of a recording of a testnet, 2023-11: rows of then had no unit and no details of fees.
test('a spot purchase at the market that states no unit is by value, and may name the coin of its fee alone', () => {
  const bought = { orderType: 'Market', timeInForce: 'IOC', qty: '10.000000', cumExecQty: '0.000306' }
  const ended = { orderStatus: 'PartiallyFilledCanceled', rejectReason: 'EC_CancelForNoFullFill' }
  const fee = { cumExecFee: '0.000000306', feeCurrency: 'BTC' }
  const read = (differing: object) =>
    readOrder(withUnit(OrderRow.parse({ ...row, ...bought, ...ended, ...fee, ...differing })), undefined)
  expect(read({})).toMatchObject({
    ...{ quantity: '0.000306', filled: '0.000306', status: 'expired' },
    fee: { coin: 'BTC', amount: '0.000000306' },
  })
  expect(read({ side: 'Sell', qty: '0.001' })).toMatchObject({ quantity: '0.001' })
  expect(read({ marketUnit: 'baseCoin', qty: '0.001' })).toMatchObject({ quantity: '0.001' })
  expect(read({ orderType: 'Limit', qty: '0.001' })).toMatchObject({ quantity: '0.001' })
})

test('an order that the engine turned down says why', () => {
  const taker = { orderStatus: 'Cancelled', rejectReason: 'EC_PostOnlyWillTakeLiquidity' }
  expect(turnedDown(OrderRow.parse({ ...row, ...taker }))).toMatchObject({ code: 'E509' })
  const other = { orderStatus: 'Rejected', rejectReason: 'EC_Others' }
  expect(turnedDown(OrderRow.parse({ ...row, ...other }))).toMatchObject({ code: 'E601' })
  expect(turnedDown(OrderRow.parse(row))).toBeUndefined()
})

test('an order that was rejected after fills was not turned down, and its fills are reported', () => {
  const update = {
    orderStatus: 'Rejected',
    rejectReason: 'EC_Others',
    cumExecQty: '0.004',
    avgPrice: '59000',
  }
  expect(turnedDown(OrderRow.parse({ ...row, ...update }))).toBeUndefined()
  expect(read(update)).toMatchObject({ status: 'expired', filled: '0.004', averagePrice: '59000' })
})

test.each([
  ['0', 'open'],
  ['0.004', 'partially_filled'],
  ['0.010', 'filled'],
])('an order of a status that nobody knows, with %s of 0.01 filled, is %s', (cumExecQty, status) => {
  expect(read({ orderStatus: 'Pondering', cumExecQty })).toMatchObject({ status })
})

test('a purchase by value of a status that nobody knows is not filled by its quantity', () => {
  const byValue = { orderType: 'Market', marketUnit: 'quoteCoin', qty: '10', cumExecQty: '600' }
  expect(read({ ...byValue, orderStatus: 'Pondering' })).toMatchObject({ status: 'partially_filled' })
})

test('an order is read without all that nothing is decided on, and with numbers and texts exchanged', () => {
  const { orderLinkId, side, orderStatus } = row
  const bare = { orderLinkId, side, orderStatus, qty: 0.01, cumExecQty: 0, updatedTime: 1_700_000_000_000 }
  expect(readOrder(OrderRow.parse(bare), undefined)).toMatchObject({
    ...{ venueOrderId: '', clientOrderId: 'ours', status: 'open', quantity: '0.01', filled: '0' },
    ...{ averagePrice: null, price: null, reduceOnly: false, fee: null, updatedAt: 1_700_000_000_000 },
  })
  expect(OrderRow.safeParse({ ...bare, orderLinkId: '' }).success).toBe(false)
})

test.each([
  [0, 'Sell', false],
  [1, 'Sell', true],
  [1, 'Buy', false],
  [2, 'Buy', true],
  [2, 'Sell', false],
] as const)(
  'an order of the position %s that is a %s can only shrink it: %s',
  (positionIdx, side, reduceOnly) => {
    expect(read({ positionIdx, side }).reduceOnly).toBe(reduceOnly)
  },
)
