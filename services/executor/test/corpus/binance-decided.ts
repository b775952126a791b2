const order = ['side', 'orderId', 'clientOrderId']
const algo = ['side', 'algoId', 'clientAlgoId']
const named = ['orders', 'orders.orderId', 'orders.clientOrderId']
const reported = ['orderReports', 'orderReports.side', 'orderReports.clientOrderId']

/** What a decision hangs on: without it, or in another shape, an answer or event of Binance may be unreadable. */
export const decidedAtBinance: Readonly<Record<string, readonly string[]>> = {
  // An answer that refuses says why by its code.
  every: ['code'],
  'order.get': order,
  'orders.list': order,
  openOrders: order,
  'algo.get': algo,
  'algo.list': algo,
  oco: [...named, ...reported],
  account: ['assets', 'assets.asset', 'balances', 'balances.asset', 'balances.free'],
  positionRisk: ['symbol', 'positionAmt'],
  accountConfig: ['dualSidePosition'],
  symbolConfig: ['symbol', 'leverage'],
  leverageBracket: ['symbol', 'brackets', 'brackets.initialLeverage'],
  userTrades: ['commission', 'commissionAsset'],
  exchangeInfo: [
    ...['symbols', 'symbols.symbol', 'symbols.baseAsset', 'symbols.quoteAsset', 'symbols.filters'],
    ...['filterType', 'stepSize', 'tickSize'].map((field) => `symbols.filters.${field}`),
  ],
  stream: [
    ...['e', 'o', 'a', 'event', 'event.e'],
    ...['s', 'S', 'i', 'c', 'aid', 'caid'].flatMap((field) => [`o.${field}`, `event.${field}`]),
  ],
  'ws.order': ['id', 'result', 'error', 'error.code', 'status'],
  'ws.algo': ['id', 'result'],
}

/** New words in place of these are not read. */
export const wordsDecidedAtBinance: readonly string[] = [
  'side',
  'S',
  'filterType',
  'symbol',
  'commissionAsset',
]
