/** Fields that decisions need: if one is absent or changed, an answer or event of Bybit may be unreadable. */
export const decidedAtBybit: Readonly<Record<string, readonly string[]>> = {
  every: ['retCode', 'result', 'result.list'],
  'order.realtime': orderFields('result.list'),
  'order.history': orderFields('result.list'),
  // One of both ids is enough: each recording with a single one has it decided on.
  'order.create': ['result.orderId', 'result.orderLinkId'],
  'order.cancel': [],
  'position.list': ['symbol', 'positionIdx', 'size', 'avgPrice'].map((field) => `result.list.${field}`),
  'account.wallet-balance': ['result.list.coin', 'result.list.coin.coin', 'result.list.coin.walletBalance'],
  'market.instruments-info': [
    ...['symbol', 'baseCoin', 'quoteCoin', 'priceFilter', 'priceFilter.tickSize', 'lotSizeFilter'],
    ...['lotSizeFilter.qtyStep', 'lotSizeFilter.basePrecision'],
  ].map((field) => `result.list.${field}`),
  // A book without quotes leaves no other price.
  'market.tickers': ['result.list.lastPrice'],
  'market.time': ['time', 'result.timeNano'],
  'user.query-api': ['time', 'result.readOnly', 'result.permissions'],
  'ws.order': ['topic', 'data', ...orderFields('data')],
  'ws.execution': ['topic', 'data'],
  'ws.position': ['topic', 'data', 'data.symbol', 'data.positionIdx', 'data.size'],
  'ws.wallet': ['topic', 'data', 'data.coin', 'data.coin.coin', 'data.coin.walletBalance'],
  'ws.order.create': ['reqId', 'data', 'data.orderId', 'data.orderLinkId'],
  'prices.book': ['type', 'data', 'data.b', 'data.a'],
  'prices.mark': ['data', 'data.markPrice'],
}

/** New words in place of these are not read. */
export const wordsDecidedAtBybit: readonly string[] = ['side', 'topic', 'type']

function orderFields(list: string): string[] {
  return ['orderId', 'orderLinkId', 'side', 'orderStatus', 'qty', 'cumExecQty'].map(
    (field) => `${list}.${field}`,
  )
}
