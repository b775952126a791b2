import type { binance as CcxtBinance } from 'ccxt'
import type { Refusal } from '../contract/suite.ts'

const BTC = 'BTC/USDT'
const named = (clientOrderId: string) => ({ newClientOrderId: clientOrderId })
const ORDER = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' }
const LIMIT = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.01',
  price: '59000',
}
const OCO = {
  symbol: 'BTCUSDT',
  side: 'SELL',
  quantity: '0.01',
  aboveType: 'LIMIT_MAKER',
  abovePrice: '65000',
  belowType: 'STOP_LOSS',
  belowStopPrice: '55000',
}
const BUYING = { ...OCO, side: 'BUY' }
const REPLACEMENT = { ...LIMIT, price: '58000', cancelReplaceMode: 'STOP_ON_FAILURE' }

type Values = Readonly<Record<string, string | undefined>>
type Row = Refusal<CcxtBinance>

const market = (side: string, amount: number) => async (ccxt: CcxtBinance) =>
  await ccxt.createOrder(BTC, 'market', side, amount)
const post = (values: Values) => async (ccxt: CcxtBinance) => await ccxt.privatePostOrder(values)
const oco = (values: Values) => async (ccxt: CcxtBinance) => await ccxt.privatePostOrderListOco(values)

const wrongAmounts: readonly Row[] = [
  {
    name: 'more than the balance pays',
    code: -2010,
    call: market('buy', 5),
    says: 'Account has insufficient balance for requested action.',
    as: 'InsufficientFunds',
  },
  {
    name: 'selling more than there is',
    code: -2010,
    call: market('sell', 5),
    says: 'Account has insufficient balance for requested action.',
    as: 'InsufficientFunds',
  },
  {
    name: 'less than the least value',
    code: -1013,
    call: post({ ...ORDER, quantity: '0.00005' }),
    says: 'Filter failure: NOTIONAL',
    as: 'BadRequest',
  },
  {
    name: 'a quantity off the step',
    code: -1013,
    call: post({ ...ORDER, quantity: '0.010001' }),
    says: 'Filter failure: LOT_SIZE',
    as: 'InvalidOrder',
  },
  {
    name: 'a quantity above the most',
    code: -1013,
    call: post({ ...LIMIT, quantity: '9001' }),
    says: 'Filter failure: LOT_SIZE',
    as: 'InvalidOrder',
  },
  {
    name: 'a market order above the most',
    code: -1013,
    call: post({ ...ORDER, quantity: '121' }),
    says: 'Filter failure: MARKET_LOT_SIZE',
    as: 'InvalidOrder',
  },
  {
    name: 'no quantity at all',
    code: -1013,
    call: post({ ...ORDER, quantity: '0' }),
    says: 'Invalid quantity.',
  },
  {
    name: 'a quantity finer than coins are',
    code: -1111,
    call: post({ ...ORDER, quantity: '0.010000001' }),
    says: "Parameter 'quantity' has too much precision.",
    as: 'BadRequest',
  },
  {
    name: 'more than the most value',
    code: -1013,
    call: post({ ...LIMIT, quantity: '200' }),
    says: 'Filter failure: NOTIONAL',
  },
  {
    name: 'a price off the tick',
    code: -1013,
    call: post({ ...LIMIT, price: '59000.001' }),
    says: 'Filter failure: PRICE_FILTER',
    as: 'InvalidOrder',
  },
  {
    name: 'a price above the band',
    code: -1013,
    call: post({ ...LIMIT, price: '350000' }),
    says: 'Filter failure: PERCENT_PRICE_BY_SIDE',
    as: 'InvalidOrder',
  },
  {
    name: 'a price below the band',
    code: -1013,
    call: post({ ...LIMIT, side: 'SELL', price: '11000' }),
    says: 'Filter failure: PERCENT_PRICE_BY_SIDE',
    as: 'InvalidOrder',
  },
  { name: 'a price of nothing', code: -1013, call: post({ ...LIMIT, price: '0' }), says: 'Invalid price.' },
  {
    name: 'a trailing delta beyond the filter',
    code: -1013,
    call: post({ ...ORDER, type: 'STOP_LOSS', side: 'SELL', trailingDelta: '2001' }),
    says: 'Filter failure: TRAILING_DELTA',
  },
]

const wrongValues: readonly Row[] = [
  {
    name: 'a value that buys less than the least',
    code: -1013,
    call: post({ symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quoteOrderQty: '1' }),
    says: 'Filter failure: NOTIONAL',
  },
  {
    name: 'a value that is more than there is',
    code: -2010,
    call: post({ symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quoteOrderQty: '200000' }),
    says: 'Account has insufficient balance for requested action.',
    as: 'InsufficientFunds',
  },
  {
    name: 'a quantity and a value at once',
    code: -1106,
    call: post({ ...ORDER, quoteOrderQty: '100' }),
    says: "Parameter 'quoteOrderQty' sent when not required.",
  },
]

const wrongOrders: readonly Row[] = [
  {
    name: 'an id whose order is open',
    code: -2010,
    call: async (ccxt) => {
      await ccxt.createOrder(BTC, 'limit', 'buy', 0.01, 59_000, named('tSame'))
      return await ccxt.createOrder(BTC, 'limit', 'buy', 0.01, 58_000, named('tSame'))
    },
    says: 'Duplicate order sent.',
    as: 'InvalidOrder',
  },
  {
    name: 'a stop that would wake at once',
    code: -2010,
    call: async (ccxt) =>
      await ccxt.createOrder(BTC, 'market', 'sell', 0.01, undefined, { stopLossPrice: 61_000 }),
    says: 'Stop price would trigger immediately.',
    as: 'OrderImmediatelyFillable',
  },
  {
    name: 'a post-only order that would take',
    code: -2010,
    call: async (ccxt) => await ccxt.createOrder(BTC, 'limit', 'buy', 0.01, 60_500, { postOnly: true }),
    says: 'Order would immediately match and take.',
    as: 'OrderImmediatelyFillable',
  },
  {
    name: 'an order that does not exist',
    code: -2013,
    call: async (ccxt) => await ccxt.fetchOrder('1', BTC),
    says: 'Order does not exist.',
    as: 'OrderNotFound',
  },
  {
    name: 'a cancel of an order that does not exist',
    code: -2011,
    call: async (ccxt) => await ccxt.cancelOrder('1', BTC),
    says: 'Unknown order sent.',
    as: 'OrderNotFound',
  },
  {
    name: 'a cancel of an order that is filled',
    code: -2011,
    call: async (ccxt) => {
      const { id } = await ccxt.createOrder(BTC, 'market', 'buy', 0.01)
      return await ccxt.cancelOrder(`${id}`, BTC)
    },
    says: 'Unknown order sent.',
    as: 'OrderNotFound',
  },
  {
    name: 'a cancel of everything where nothing is open',
    code: -2011,
    call: async (ccxt) => await ccxt.cancelAllOrders(BTC),
    as: 'OrderNotFound',
  },
  {
    name: 'a cancel of an order that is not partly filled, as it is to be',
    code: -2011,
    call: async (ccxt) => {
      const { id } = await ccxt.createOrder(BTC, 'limit', 'buy', 0.01, 59_000)
      return await ccxt.privateDeleteOrder({
        symbol: 'BTCUSDT',
        orderId: id,
        cancelRestrictions: 'ONLY_PARTIALLY_FILLED',
      })
    },
    says: 'Order was not canceled due to cancel restrictions.',
  },
  {
    name: 'an unknown restriction of a cancel',
    code: -1145,
    call: async (ccxt) =>
      await ccxt.privateDeleteOrder({ symbol: 'BTCUSDT', orderId: '1', cancelRestrictions: 'ONLY_OLD' }),
    says: 'Invalid cancelRestrictions',
  },
  {
    name: 'two ids of different orders',
    code: -2039,
    call: async (ccxt) => {
      const { id } = await ccxt.createOrder(BTC, 'limit', 'buy', 0.01, 59_000)
      return await ccxt.privateGetOrder({ symbol: 'BTCUSDT', orderId: id, origClientOrderId: 'tOther' })
    },
  },
  {
    name: 'more conditional orders than a symbol may have',
    code: -2010,
    call: async (ccxt) => {
      for (let round = 0; round < 6; round += 1)
        await ccxt.createOrder(BTC, 'market', 'sell', 0.01, undefined, { stopLossPrice: 50_000 + round })
    },
    says: 'Filter failure: MAX_NUM_ALGO_ORDERS',
  },
  {
    name: 'more orders than a symbol may have',
    code: -2010,
    call: async (ccxt) => {
      for (let round = 0; round < 201; round += 1)
        await ccxt.privatePostOrder({ ...LIMIT, quantity: '0.001', price: '50000' })
    },
    says: 'Filter failure: MAX_NUM_ORDERS',
  },
  {
    name: 'an iceberg',
    code: -2010,
    call: post({ ...LIMIT, icebergQty: '0.001' }),
    says: 'Iceberg orders are not supported for this symbol.',
  },
  {
    name: 'a replacement of an order that does not exist',
    code: -2022,
    call: async (ccxt) => await ccxt.privatePostOrderCancelReplace({ ...REPLACEMENT, cancelOrderId: '1' }),
    says: '"newOrderResult":"NOT_ATTEMPTED"',
  },
  {
    name: 'a replacement whose new order is refused after the cancel',
    code: -2021,
    call: async (ccxt) => {
      const { id } = await ccxt.createOrder(BTC, 'limit', 'buy', 0.01, 59_000)
      const poor = { ...REPLACEMENT, quantity: '100', cancelOrderId: id }
      return await ccxt.privatePostOrderCancelReplace(poor)
    },
    says: '"cancelResult":"SUCCESS","newOrderResult":"FAILURE"',
  },
  {
    name: 'a replacement that goes on where nothing is canceled',
    code: -2021,
    call: async (ccxt) =>
      await ccxt.privatePostOrderCancelReplace({
        ...REPLACEMENT,
        cancelOrderId: '1',
        cancelReplaceMode: 'ALLOW_FAILURE',
      }),
    says: '"cancelResult":"FAILURE","newOrderResult":"SUCCESS"',
  },
  {
    name: 'a replacement of which neither half works',
    code: -2022,
    call: async (ccxt) =>
      await ccxt.privatePostOrderCancelReplace({
        ...REPLACEMENT,
        quantity: '100',
        cancelOrderId: '1',
        cancelReplaceMode: 'ALLOW_FAILURE',
      }),
    says: '"cancelResult":"FAILURE","newOrderResult":"FAILURE"',
  },
]

const wrongLists: readonly Row[] = [
  {
    name: 'prices on the wrong sides of the market',
    code: -2010,
    call: oco({ ...OCO, abovePrice: '59000' }),
    says: 'The relationship of the prices for the orders is not correct.',
  },
  { name: 'a market order in a list', code: -1158, call: oco({ ...OCO, belowType: 'MARKET' }) },
  {
    name: 'two limit orders',
    code: -1168,
    call: oco({ ...OCO, belowType: 'LIMIT_MAKER' }),
    says: 'At least one OCO order must be contingent.',
  },
  {
    name: 'a limit order above in a buy',
    code: -1165,
    call: oco(BUYING),
    says: 'A limit order in a buy OCO must be below.',
  },
  {
    name: 'a limit order below in a sell',
    code: -1166,
    call: oco({ ...OCO, aboveType: 'STOP_LOSS', belowType: 'LIMIT_MAKER' }),
    says: 'A limit order in a sell OCO must be above.',
  },
  { name: 'a stop below in a buy', code: -1196, call: oco({ ...BUYING, aboveType: 'STOP_LOSS' }) },
  { name: 'a stop above in a sell', code: -1197, call: oco({ ...OCO, aboveType: 'STOP_LOSS' }) },
  {
    name: 'a profit above in a buy',
    code: -1198,
    call: oco({ ...BUYING, aboveType: 'TAKE_PROFIT', belowType: 'LIMIT_MAKER' }),
  },
  { name: 'a profit below in a sell', code: -1199, call: oco({ ...OCO, belowType: 'TAKE_PROFIT' }) },
  {
    name: 'a leg without its price',
    code: -1102,
    call: oco({ ...OCO, abovePrice: undefined }),
    says: "Mandatory parameter 'abovePrice'",
  },
  {
    name: 'a list that does not exist',
    code: -2013,
    call: async (ccxt) => await ccxt.privateGetOrderList({ orderListId: '1' }),
    as: 'OrderNotFound',
  },
  {
    name: 'a cancel of a list that does not exist',
    code: -2011,
    call: async (ccxt) => await ccxt.privateDeleteOrderList({ symbol: 'BTCUSDT', orderListId: '1' }),
    as: 'OrderNotFound',
  },
]

const wrongRequests: readonly Row[] = [
  {
    name: 'a symbol that does not exist',
    code: -1121,
    call: post({ ...ORDER, symbol: 'NOPEUSDT' }),
    says: 'Invalid symbol.',
    as: 'BadSymbol',
  },
  {
    name: 'a symbol that cannot be one',
    code: -1100,
    call: post({ ...ORDER, symbol: 'btc/usdt' }),
    says: "Illegal characters found in parameter 'symbol'; legal range is '^[A-Z0-9-_.]{1,20}$'.",
    as: 'BadRequest',
  },
  {
    name: 'a side that does not exist',
    code: -1117,
    call: post({ ...ORDER, side: 'LONG' }),
    says: 'Invalid side.',
  },
  {
    name: 'a type that does not exist',
    code: -1116,
    call: post({ ...ORDER, type: 'STOP' }),
    says: 'Invalid orderType.',
  },
  {
    name: 'a time in force that does not exist',
    code: -1115,
    call: post({ ...LIMIT, timeInForce: 'GTX' }),
    says: 'Invalid timeInForce.',
  },
  {
    name: 'no side',
    code: -1102,
    call: post({ ...ORDER, side: undefined }),
    says: "Mandatory parameter 'side' was not sent, was empty/null, or malformed.",
    as: 'BadRequest',
  },
  {
    name: 'a market order of no size',
    code: -1102,
    call: post({ ...ORDER, quantity: undefined }),
    says: "Param 'quantity' or 'quoteOrderQty' must be sent, but both were empty/null!",
  },
  {
    name: 'a stop without a price',
    code: -1102,
    call: post({ ...ORDER, type: 'STOP_LOSS' }),
    says: "Param 'stopPrice' or 'trailingDelta' must be sent, but both were empty/null!",
  },
  {
    name: 'no order named',
    code: -1102,
    call: async (ccxt) => await ccxt.privateGetOrder({ symbol: 'BTCUSDT' }),
    says: "Param 'origClientOrderId' or 'orderId' must be sent, but both were empty/null!",
  },
  {
    name: 'a price for a market order',
    code: -1106,
    call: post({ ...ORDER, price: '60000' }),
    says: "Parameter 'price' sent when not required.",
    as: 'BadRequest',
  },
  {
    name: 'a parameter the venue does not know',
    code: -1104,
    call: post({ ...ORDER, 'stopLoss[triggerPrice]': '50000' }),
    says: "Not all sent parameters were read; read '8' parameter(s) but was sent '9'.",
    as: 'BadRequest',
  },
  {
    name: 'a parameter where there are none',
    code: -1101,
    call: async (ccxt) => await ccxt.publicGetPing({ symbol: 'BTCUSDT' }),
    says: "Too many parameters; expected '0' and received '1'.",
    as: 'BadRequest',
  },
  {
    name: 'an empty parameter',
    code: -1105,
    call: post({ ...ORDER, strategyId: '' }),
    says: "Parameter 'strategyId' was empty.",
    as: 'BadRequest',
  },
  {
    name: 'a client id that is too long',
    code: -1100,
    call: post({ ...ORDER, newClientOrderId: 't'.repeat(37) }),
    says: "legal range is '^[a-zA-Z0-9-_]{1,36}$'",
    as: 'BadRequest',
  },
  {
    name: 'a strategy type that is too small',
    code: -1134,
    call: post({ ...ORDER, strategyId: '1', strategyType: '999999' }),
  },
  {
    name: 'a number that is too long',
    code: -1108,
    call: post({ ...ORDER, strategyId: '99999999999999999999' }),
  },
  {
    name: 'an answer that does not exist',
    code: -1130,
    call: post({ ...ORDER, newOrderRespType: 'SHORT' }),
    says: "Data sent for parameter 'newOrderRespType' is not valid.",
    as: 'BadRequest',
  },
  {
    name: 'an interval that does not exist',
    code: -1120,
    call: async (ccxt) => await ccxt.publicGetKlines({ symbol: 'BTCUSDT', interval: '7m' }),
    as: 'BadRequest',
  },
  {
    name: 'more than a day of trades',
    code: -1127,
    call: async (ccxt) =>
      await ccxt.privateGetMyTrades({ symbol: 'BTCUSDT', startTime: '1', endTime: '86400002' }),
    as: 'BadRequest',
  },
  {
    name: 'one symbol and several',
    code: -1128,
    call: async (ccxt) => await ccxt.publicGetTickerPrice({ symbol: 'BTCUSDT', symbols: '["ETHUSDT"]' }),
    as: 'BadRequest',
  },
  {
    name: 'a symbol twice in a list',
    code: -1151,
    call: async (ccxt) => await ccxt.publicGetTickerPrice({ symbols: '["ETHUSDT","ETHUSDT"]' }),
  },
  {
    name: 'a ticker that does not exist',
    code: -1139,
    call: async (ccxt) => await ccxt.publicGetTicker24hr({ symbol: 'BTCUSDT', type: 'TINY' }),
  },
]

const wrongClients: readonly Row[] = [
  {
    name: 'a clock that is late',
    code: -1021,
    call: async (ccxt) => {
      ccxt.nonce = () => Date.now() - 60_000
      return await ccxt.fetchOpenOrders(BTC)
    },
    says: 'Timestamp for this request is outside of the recvWindow.',
    as: 'InvalidNonce',
  },
  {
    name: 'a clock that is ahead',
    code: -1021,
    call: async (ccxt) => {
      ccxt.nonce = () => Date.now() + 5_000
      return await ccxt.fetchOpenOrders(BTC)
    },
    says: "Timestamp for this request was 1000ms ahead of the server's time.",
    as: 'InvalidNonce',
  },
  {
    name: 'a receive window that is too long',
    code: -1131,
    call: async (ccxt) => await ccxt.privateGetAccount({ recvWindow: 60_001 }),
  },
  {
    name: 'a wrong secret',
    code: -1022,
    call: async (ccxt) => {
      ccxt.secret = 'other'
      return await ccxt.fetchOpenOrders(BTC)
    },
    says: 'Signature for this request is not valid.',
    as: 'AuthenticationError',
  },
  {
    name: 'an unknown key',
    code: -2015,
    call: async (ccxt) => {
      ccxt.apiKey = 'nobody'
      return await ccxt.fetchOpenOrders(BTC)
    },
    says: 'Invalid API-key, IP, or permissions for action.',
    as: 'AuthenticationError',
  },
  {
    name: 'a key that cannot be one',
    code: -2014,
    call: async (ccxt) => {
      ccxt.apiKey = 'no body'
      return await ccxt.fetchOpenOrders(BTC)
    },
    says: 'API-key format invalid.',
    as: 'AuthenticationError',
  },
]

const fault =
  (action: Readonly<Record<string, unknown>>): Row['call'] =>
  async (ccxt, { paper, credentials }) => {
    const match = { wire: 'binance-spot', apiKey: credentials.apiKey, path: '/api/v3/order' }
    await paper.control('POST', 'faults', { match, count: 1, ...action })
    return await ccxt.createOrder(BTC, 'market', 'buy', 0.01)
  }

const venueInTrouble: readonly Row[] = [
  {
    name: 'an internal fault',
    code: -1000,
    call: fault({ action: 'reject', code: -1000 }),
    as: 'OperationFailed',
  },
  {
    name: 'no answer of the bus',
    code: -1006,
    call: fault({ action: 'reject', code: -1006 }),
    as: 'OperationFailed',
  },
  {
    name: 'a timeout behind the venue',
    code: -1007,
    call: fault({ action: 'reject', code: -1007 }),
    as: 'RequestTimeout',
  },
  { name: 'an overload', code: -1008, call: fault({ action: 'reject', code: -1008 }) },
  {
    name: 'too many requests',
    code: -1003,
    call: fault({ action: 'status', status: 429 }),
    as: 'DDoSProtection',
  },
  { name: 'a ban', code: -1003, call: fault({ action: 'status', status: 418 }), as: 'DDoSProtection' },
  {
    name: 'too many orders',
    code: -1015,
    call: fault({ action: 'reject', code: -1015 }),
    says: 'Too many new orders.',
    as: 'DDoSProtection',
  },
  {
    name: 'a closed market',
    code: -1013,
    call: fault({ action: 'reject', code: -1013, message: 'Market is closed.' }),
    as: 'MarketClosed',
  },
]

/** Every refusal of spot that has a cause, as ccxt meets it. */
export const CCXT_REFUSALS: readonly Row[] = [
  ...wrongAmounts,
  ...wrongValues,
  ...wrongOrders,
  ...wrongLists,
  ...wrongRequests,
  ...wrongClients,
  ...venueInTrouble,
]
