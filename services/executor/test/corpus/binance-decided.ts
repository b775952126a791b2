const order = ['side', 'orderId', 'clientOrderId']
const algo = ['side', 'algoId', 'clientAlgoId']
const named = ['orders', 'orders.orderId', 'orders.clientOrderId']
const reported = ['', '.side', '.clientOrderId', '.executedQty'].map((field) => `orderReports${field}`)

/** Fields that decisions need: if one is absent or changed, an answer or event of Binance may be unreadable. */
export const decidedAtBinance: Readonly<Record<string, readonly string[]>> = {
  // An answer that refuses says why by its code.
  every: ['code'],
  'order.get': [...order, 'executedQty'],
  'order.delete': ['executedQty'],
  cancel: ['executedQty'],
  'orders.list': order,
  openOrders: order,
  // It is found by its name.
  allOrders: [...order, 'executedQty', 'symbol'],
  allAlgoOrders: [...algo, 'symbol'],
  myTrades: ['qty', 'commission', 'commissionAsset'],
  listenKey: ['listenKey'],
  time: ['serverTime'],
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
  ],
  stream: [
    ...['e', 'o', 'a', 'event', 'event.e', 'stream', 'data', 'data.e', 'data.o'],
    ...['s', 'S', 'i', 'c', 'z', 'aid', 'caid'].flatMap((field) => [
      `o.${field}`,
      `event.${field}`,
      `data.${field}`,
      `data.o.${field}`,
    ]),
  ],
  'ws.order': ['id', 'result', 'error', 'error.code', 'status'],
  'ws.algo': ['id', 'result'],
  'ticker.bookTicker': ['bidPrice', 'askPrice'],
  premiumIndex: ['markPrice'],
  referencePrice: ['referencePrice'],
  avgPrice: ['price'],
  'prices.book': ['data', 'data.b', 'data.a', 'b', 'a'],
  'prices.mark': ['data', 'data.p', 'p'],
  'prices.reference': ['data', 'data.r', 'r'],
}

/** New words in place of these are not read. */
export const wordsDecidedAtBinance: readonly string[] = [
  'side',
  'S',
  'filterType',
  'symbol',
  'commissionAsset',
]
