import type { binanceusdm } from 'ccxt'
import { contract, type Refusal } from '../contract/suite.ts'
import { CCXT } from './clients.ts'

const symbol = 'BTCUSDT'
const MARKET = { symbol, side: 'BUY', type: 'MARKET', quantity: '0.01' }
const LIMIT = { symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price: '59000' }
const ALGO = {
  algoType: 'CONDITIONAL',
  symbol,
  side: 'SELL',
  type: 'STOP_MARKET',
  quantity: '0.01',
  triggerPrice: '58000',
}
const CLOSE = {
  algoType: 'CONDITIONAL',
  symbol,
  side: 'SELL',
  type: 'STOP_MARKET',
  closePosition: 'true',
  triggerPrice: '58000',
}

type Values = Record<string, string | number>
type Row = Refusal<binanceusdm>

const place = async (ccxt: binanceusdm, values: Values) => await ccxt.fapiPrivatePostOrder(values)
const arm = async (ccxt: binanceusdm, values: Values) => await ccxt.fapiPrivatePostAlgoOrder(values)
const hedge = async (ccxt: binanceusdm) =>
  await ccxt.fapiPrivatePostPositionSideDual({ dualSidePosition: 'true' })
const isolate = async (ccxt: binanceusdm) =>
  await ccxt.fapiPrivatePostMarginType({ symbol, marginType: 'ISOLATED' })

// One refused order a row: what differs from a good one, and the number it meets.
const ORDERS: [name: string, values: Values, code: number, says: string][] = [
  [
    'no symbol',
    { symbol: '' },
    -1102,
    "Mandatory parameter 'symbol' was not sent, was empty/null, or malformed.",
  ],
  ['an unknown symbol', { symbol: 'NOPEUSDT' }, -1121, 'Invalid symbol.'],
  ['an unknown side', { side: 'LONG' }, -1117, 'Invalid side.'],
  ['an unknown type', { type: 'ICEBERG' }, -1116, 'Invalid orderType.'],
  ['an unknown time in force', { ...LIMIT, timeInForce: 'DAY' }, -1115, 'Invalid timeInForce.'],
  ['a conditional type', { type: 'STOP_MARKET' }, -4120, 'Please use the Algo Order API endpoints instead.'],
  ['a price on a market order', { price: '60000' }, -1106, "Parameter 'price' sent when not required."],
  [
    'a trigger on a plain order',
    { stopPrice: '60000' },
    -1106,
    "Parameter 'stopPrice' sent when not required.",
  ],
  ['an unknown answer type', { newOrderRespType: 'FULL' }, -1136, 'Invalid newOrderRespType.'],
  ['letters in a quantity', { quantity: 'many' }, -1100, "Illegal characters found in parameter 'quantity'"],
  [
    'a quantity that is too fine',
    { quantity: '0.0015' },
    -1111,
    'Precision is over the maximum defined for this asset.',
  ],
  ['a price that is too fine', { ...LIMIT, price: '59000.001' }, -1111, 'Precision is over the maximum'],
  ['a zero quantity', { quantity: '0' }, -4003, 'Quantity less than or equal to zero.'],
  ['more than one order may hold', { quantity: '121' }, -4005, 'Quantity greater than max quantity.'],
  ['a zero price', { ...LIMIT, price: '0' }, -4001, 'Price less than 0.'],
  ['a price below the least', { ...LIMIT, price: '1' }, -4013, 'Price less than min price.'],
  ['a price above the most', { ...LIMIT, price: '9999999' }, -4002, 'Price greater than max price.'],
  ['a price off the tick', { ...LIMIT, price: '59000.05' }, -4014, 'Price not increased by tick size.'],
  [
    'a price above the band',
    { ...LIMIT, price: '70000' },
    -4016,
    'Price is higher than mark price multiplier cap.',
  ],
  [
    'a price below the band',
    { ...LIMIT, side: 'SELL', price: '50000' },
    -4024,
    'Price is lower than mark price multiplier floor.',
  ],
  ['a client id that is too long', { newClientOrderId: 'e'.repeat(37) }, -4015, 'Client order id length'],
  [
    'a client id with illegal characters',
    { newClientOrderId: 'e!' },
    -1100,
    "Illegal characters found in parameter 'newClientOrderId'",
  ],
  [
    'less than the least value',
    { quantity: '0.001' },
    -4164,
    "Order's notional must be no smaller than 100 (unless you choose reduce only).",
  ],
  ['more than the margin allows', { quantity: '100' }, -2019, 'Margin is insufficient.'],
  ['reduce-only without a position', { reduceOnly: 'true' }, -2022, 'ReduceOnly Order is rejected.'],
  [
    'post-only that would take',
    { ...LIMIT, price: '60500', timeInForce: 'GTX' },
    -5022,
    'Due to the order could not be executed as maker, the Post Only order will be rejected.',
  ],
  [
    'fill-or-kill that cannot be filled',
    { ...LIMIT, timeInForce: 'FOK' },
    -5021,
    'Due to the order could not be filled immediately, the FOK order has been rejected.',
  ],
  [
    'a hedge position side',
    { positionSide: 'LONG' },
    -4061,
    "Order's position side does not match user's setting.",
  ],
  ['an unknown position side', { positionSide: 'LEFT' }, -4060, 'Invalid position side.'],
  [
    'closePosition on a plain order',
    { closePosition: 'true' },
    -4136,
    'Target strategy invalid for orderType MARKET,closePosition true',
  ],
  [
    'a date that is too close',
    { ...LIMIT, timeInForce: 'GTD', goodTillDate: 1 },
    -5040,
    'The goodTillDate timestamp',
  ],
]

const orders: Row[] = ORDERS.map(([name, values, code, says]) => ({
  name: `for ${name}`,
  call: async (ccxt) => await place(ccxt, { ...MARKET, ...values }),
  code,
  says,
}))

const ALGOS: [name: string, values: Values, code: number, says: string][] = [
  ['no algo type', { algoType: '' }, -1102, "'algoType'"],
  ['another algo type', { algoType: 'VP' }, -1130, "Data sent for parameter 'algoType' is not valid."],
  ['a plain type', { type: 'MARKET' }, -1116, 'Invalid orderType.'],
  ['no trigger price', { triggerPrice: '' }, -1102, "'triggerPrice'"],
  ['a trigger that is reached', { triggerPrice: '60500' }, -2021, 'Order would immediately trigger.'],
  [
    'an activation that is reached',
    { type: 'TRAILING_STOP_MARKET', callbackRate: '1', activatePrice: '59000' },
    -2021,
    'Order would immediately trigger.',
  ],
  ['a trigger off the tick', { triggerPrice: '58000.05' }, -4014, 'Price not increased by tick size.'],
  ['a trigger of zero', { triggerPrice: '0' }, -4006, 'Stop price less than zero.'],
  ['no callback rate', { type: 'TRAILING_STOP_MARKET' }, -1102, "'callbackRate'"],
  [
    'a callback rate too high',
    { type: 'TRAILING_STOP_MARKET', callbackRate: '11' },
    -2007,
    'Invalid callBack rate.',
  ],
  ['an unknown working type', { workingType: 'INDEX' }, -4031, 'Invalid parameter working type'],
  [
    'closePosition with a quantity',
    { closePosition: 'true' },
    -4137,
    'Quantity must be zero with closePosition equals true',
  ],
  ['a client id that is too long', { clientAlgoId: 'e'.repeat(37) }, -4015, 'Client order id length'],
]

const algos: Row[] = [
  ...ALGOS.map(([name, values, code, says]) => ({
    name: `for a conditional order with ${name}`,
    call: async (ccxt: binanceusdm) => await arm(ccxt, { ...ALGO, ...values }),
    code,
    says,
  })),
  {
    name: 'for closePosition with reduceOnly',
    call: async (ccxt) => await arm(ccxt, { ...CLOSE, reduceOnly: 'true' }),
    code: -1106,
    says: "Parameter 'reduceonly' sent when not required.",
  },
  {
    name: 'for closePosition on a trailing stop',
    call: async (ccxt) => await arm(ccxt, { ...CLOSE, type: 'TRAILING_STOP_MARKET', callbackRate: '1' }),
    code: -4136,
    says: 'Target strategy invalid for orderType TRAILING_STOP_MARKET,closePosition true',
  },
  {
    name: 'for a second order that closes the position',
    call: async (ccxt) => {
      await place(ccxt, MARKET)
      await arm(ccxt, CLOSE)
      await arm(ccxt, { ...CLOSE, triggerPrice: '57000' })
    },
    code: -4130,
    says: 'An open stop or take profit order with GTE and closePosition in the direction is existing.',
  },
  {
    name: 'for a client id that waits already',
    call: async (ccxt) => {
      await arm(ccxt, { ...ALGO, clientAlgoId: 'eTwice' })
      await arm(ccxt, { ...ALGO, clientAlgoId: 'eTwice' })
    },
    code: -4116,
    says: 'ClientOrderId is duplicated.',
  },
  {
    name: 'for more conditional orders than all symbols may have together',
    call: async (ccxt) => {
      const elsewhere = { ...ALGO, symbol: 'ETHUSDT', triggerPrice: '2900' }
      for (let count = 0; count < 100; count += 1) await arm(ccxt, ALGO)
      for (let count = 0; count <= 100; count += 1) await arm(ccxt, elsewhere)
    },
    code: -4045,
    says: 'Reach max stop order limit.',
  },
  {
    name: 'for a conditional order in a batch',
    call: async (ccxt) => await firstOf(ccxt, { ...MARKET, type: 'STOP_MARKET' }),
    code: -4120,
    says: 'Algo Order API',
  },
]

async function firstOf(ccxt: binanceusdm, order: Values): Promise<void> {
  const [answer] = (await ccxt.fapiPrivatePostBatchOrders({ batchOrders: [order] })) as unknown as object[]
  throw new Error(JSON.stringify(answer))
}

const rest: Row[] = [
  {
    name: 'for a client id whose order is open',
    call: async (ccxt) => {
      await place(ccxt, { ...LIMIT, newClientOrderId: 'eSame' })
      await place(ccxt, { ...LIMIT, newClientOrderId: 'eSame' })
    },
    code: -4116,
    says: 'ClientOrderId is duplicated.',
  },
  {
    name: 'for a cancel of an unknown order',
    call: async (ccxt) => await ccxt.fapiPrivateDeleteOrder({ symbol, orderId: 1 }),
    code: -2011,
    says: 'Unknown order sent.',
  },
  {
    name: 'for a cancel that names none',
    call: async (ccxt) => await ccxt.fapiPrivateDeleteOrder({ symbol }),
    code: -1102,
    says: "Param 'origClientOrderId' or 'orderId' must be sent",
  },
  {
    name: 'for a query of an unknown order',
    call: async (ccxt) => await ccxt.fapiPrivateGetOrder({ symbol, orderId: 1 }),
    code: -2013,
    says: 'Order does not exist.',
  },
  {
    name: 'for a query of an unknown open order',
    call: async (ccxt) => await ccxt.fapiPrivateGetOpenOrder({ symbol, orderId: 1 }),
    code: -2013,
    says: 'Order does not exist.',
  },
  {
    name: 'for a cancel of an unknown conditional order',
    call: async (ccxt) => await ccxt.fapiPrivateDeleteAlgoOrder({ algoId: 1 }),
    code: -2011,
    says: 'Unknown order sent.',
  },
  {
    name: 'for a query of a living conditional order by its id',
    call: async (ccxt) => {
      const { algoId } = (await arm(ccxt, ALGO)) as { algoId: number }
      return await ccxt.fapiPrivateGetAlgoOrder({ algoId })
    },
    code: -2013,
    says: 'Order does not exist.',
  },
  {
    name: 'for a query of a canceled conditional order by its name',
    call: async (ccxt) => {
      await arm(ccxt, { ...ALGO, clientAlgoId: 'eGone' })
      await ccxt.fapiPrivateDeleteAlgoOrder({ clientAlgoId: 'eGone' })
      return await ccxt.fapiPrivateGetAlgoOrder({ clientAlgoId: 'eGone' })
    },
    code: -2013,
    says: 'Order does not exist.',
  },
  {
    name: 'for a query of an unknown conditional order',
    call: async (ccxt) => await ccxt.fapiPrivateGetAlgoOrder({ algoId: 1 }),
    code: -2013,
    says: 'Order does not exist.',
  },
  {
    name: 'for a change of an unknown order',
    call: async (ccxt) =>
      await ccxt.fapiPrivatePutOrder({ symbol, orderId: 1, side: 'BUY', quantity: '1', price: '59000' }),
    code: -2013,
    says: 'Order does not exist.',
  },
  {
    name: 'for a change that changes nothing',
    call: async (ccxt) => {
      const { orderId } = (await place(ccxt, LIMIT)) as { orderId: number }
      await ccxt.fapiPrivatePutOrder({ symbol, orderId, side: 'BUY', quantity: '0.01', price: '59000' })
    },
    code: -5027,
    says: 'No need to modify the order.',
  },
  {
    name: 'for more orders than a batch holds',
    call: async (ccxt) =>
      await ccxt.fapiPrivatePostBatchOrders({ batchOrders: Array.from({ length: 6 }, () => ({ ...LIMIT })) }),
    code: -4082,
    says: 'Invalid number of batch place orders.',
  },
  {
    name: 'for a market order beyond the band',
    call: async (ccxt, { pin }) => {
      await pin(symbol, { bid: '63999.9', ask: '64000.1', mark: '60000' })
      await place(ccxt, MARKET)
    },
    code: -4131,
    says: "The counterparty's best price does not meet the PERCENT_PRICE filter limit.",
  },
  {
    name: 'for reduceOnly in hedge mode',
    call: async (ccxt) => {
      await hedge(ccxt)
      await place(ccxt, { ...MARKET, positionSide: 'LONG', reduceOnly: 'true' })
    },
    code: -1106,
    says: "Parameter 'reduceonly' sent when not required.",
  },
  {
    name: 'for an order without a side in hedge mode',
    call: async (ccxt) => {
      await hedge(ccxt)
      await place(ccxt, MARKET)
    },
    code: -4061,
    says: "Order's position side does not match user's setting.",
  },
  {
    name: 'for the mode it has',
    call: async (ccxt) => await ccxt.fapiPrivatePostPositionSideDual({ dualSidePosition: 'false' }),
    code: -4059,
    says: 'No need to change position side.',
  },
  {
    name: 'for another mode with an open order',
    call: async (ccxt) => {
      await place(ccxt, LIMIT)
      await hedge(ccxt)
    },
    code: -4067,
    says: 'Position side cannot be changed if there exists open orders.',
  },
  {
    name: 'for another mode with a position',
    call: async (ccxt) => {
      await place(ccxt, MARKET)
      await hedge(ccxt)
    },
    code: -4068,
    says: 'Position side cannot be changed if there exists position.',
  },
  {
    name: 'for the margin type it has, with a position',
    call: async (ccxt) => {
      await place(ccxt, MARKET)
      await ccxt.fapiPrivatePostMarginType({ symbol, marginType: 'CROSSED' })
    },
    code: -4046,
    says: 'No need to change margin type.',
  },
  {
    name: 'for the margin type it has, with neither position nor orders',
    call: async (ccxt) => await ccxt.fapiPrivatePostMarginType({ symbol, marginType: 'CROSSED' }),
    code: -4067,
    says: 'Position side cannot be changed if there exists open orders.',
  },
  {
    name: 'for another margin type with an open order',
    call: async (ccxt) => {
      await place(ccxt, LIMIT)
      await isolate(ccxt)
    },
    code: -4047,
    says: 'Margin type cannot be changed if there exists open orders.',
  },
  {
    name: 'for another margin type with a position',
    call: async (ccxt) => {
      await place(ccxt, MARKET)
      await isolate(ccxt)
    },
    code: -4048,
    says: 'Margin type cannot be changed if there exists position.',
  },
  {
    name: 'for a leverage that does not exist',
    call: async (ccxt) => await ccxt.fapiPrivatePostLeverage({ symbol, leverage: 126 }),
    code: -4028,
    says: 'Leverage 126 is not valid',
  },
  {
    name: 'for less leverage in an isolated position',
    call: async (ccxt) => {
      await isolate(ccxt)
      await place(ccxt, MARKET)
      await ccxt.fapiPrivatePostLeverage({ symbol, leverage: 5 })
    },
    code: -4161,
    says: 'Leverage reduction is not supported in Isolated Margin Mode with open positions.',
  },
  {
    name: 'for margin of a cross position',
    call: async (ccxt) => await ccxt.fapiPrivatePostPositionMargin({ symbol, amount: '10', type: 1 }),
    code: -4049,
    says: 'Add margin only support for isolated position.',
  },
  {
    name: 'for margin without a position',
    call: async (ccxt) => {
      await isolate(ccxt)
      await ccxt.fapiPrivatePostPositionMargin({ symbol, amount: '10', type: 1 })
    },
    code: -4054,
    says: 'Cannot add position margin: position is 0.',
  },
  {
    name: 'for more margin than there is',
    call: async (ccxt) => {
      await isolate(ccxt)
      await place(ccxt, MARKET)
      await ccxt.fapiPrivatePostPositionMargin({ symbol, amount: '10000000', type: 1 })
    },
    code: -4050,
    says: 'Cross balance insufficient.',
  },
  {
    name: 'for more margin taken than may be',
    call: async (ccxt) => {
      await isolate(ccxt)
      await place(ccxt, MARKET)
      await ccxt.fapiPrivatePostPositionMargin({ symbol, amount: '10000', type: 2 })
    },
    code: -4051,
    says: 'Isolated balance insufficient.',
  },
  {
    name: 'for several assets as margin',
    call: async (ccxt) => await ccxt.fapiPrivatePostMultiAssetsMargin({ multiAssetsMargin: 'false' }),
    code: -4171,
    says: 'Adjusted asset mode is currently set',
  },
  {
    name: 'for a depth there is not',
    call: async (ccxt) => await ccxt.fapiPublicGetDepth({ symbol, limit: 7 }),
    code: -4021,
    says: '7 is not valid depth limit.',
  },
  {
    name: 'for candles there are not',
    call: async (ccxt) => await ccxt.fapiPublicGetKlines({ symbol, interval: '7m' }),
    code: -1120,
    says: 'Invalid interval.',
  },
  {
    name: 'for a listen key it does not have',
    call: async (ccxt) => await ccxt.fapiPrivatePutListenKey(),
    code: -1125,
    says: 'This listenKey does not exist.',
  },
  {
    name: 'for a span that ends before it starts',
    call: async (ccxt) => await ccxt.fapiPrivateGetAllOrders({ symbol, startTime: 2, endTime: 1 }),
    code: -1023,
    says: 'Start time is greater than end time.',
  },
  {
    name: 'for a span that is too long',
    call: async (ccxt) =>
      await ccxt.fapiPrivateGetAllOrders({ symbol, startTime: 1, endTime: 9_999_999_999 }),
    code: -4165,
    says: 'Maximum time interval is 7 days',
  },
  {
    name: 'for more orders than a market takes',
    call: async (ccxt) => {
      for (let count = 0; count <= 200; count += 1) await place(ccxt, LIMIT)
    },
    balances: { USDT: '10000000' },
    code: -2025,
    says: 'Reach max open order limit.',
  },
]

contract(CCXT, [], [...orders, ...algos, ...rest])
