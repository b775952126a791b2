import type { Answering, VenueStandIn } from './venue-stand-in.ts'

/** A market of Binance, as its calls are named. */
export type BinanceKind = 'futures' | 'spot'

const symbols = ['BTCUSDT', 'ETHUSDT', 'DOTUSDT']

const json = (value: unknown, status = 200): Answering => {
  return () => ({ status, text: JSON.stringify(value) })
}

const rules = {
  spot: { orderTypes: ['LIMIT', 'MARKET'], isSpotTradingAllowed: true, permissions: ['SPOT'] },
  futures: { contractType: 'PERPETUAL', marginAsset: 'USDT' },
} as const

const lot = { minQty: '0.001', maxQty: '1000', stepSize: '0.001' }
const filters = [
  { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000000', tickSize: '0.01' },
  { filterType: 'LOT_SIZE', ...lot },
]

function listed(kind: BinanceKind) {
  return symbols.map((symbol) => {
    const coins = { baseAsset: symbol.slice(0, 3), quoteAsset: 'USDT' }
    return { symbol, ...coins, status: 'TRADING', ...rules[kind], filters }
  })
}

/** Returns an answer about an order with these fields. */
export function orderOf(differing: object): object {
  return {
    ...{ symbol: 'BTCUSDT', orderId: 7, clientOrderId: 'ours', side: 'BUY', type: 'LIMIT', status: 'NEW' },
    ...{ origQty: '1', executedQty: '0', price: '60000', avgPrice: '0', cummulativeQuoteQty: '0' },
    ...{ reduceOnly: false, updateTime: 1 },
    ...differing,
  }
}

/** The venue's answer to what it does not have. */
export const orderAbsent = json({ code: -2013, msg: 'Order does not exist.' }, 400)

/** The venue's answer of a market that never had a reference price. */
const noReferencePrice = json({ code: -2043, msg: "This symbol doesn't have a reference price." }, 400)

/** The paths of a market's private stream and of its socket for orders. */
export const socketPaths = {
  futures: { stream: '/private/ws/key', orders: '/ws-fapi/v1' },
  spot: { stream: '/ws-api/v3', orders: '/ws-api/v3' },
} as const

const futuresLists = ['openAlgoOrders', 'allAlgoOrders', 'allOrders', 'userTrades', 'leverageBracket']

/** Has a stand-in answer everything that a client asks, as a venue does at which nothing happens. */
export function binanceDefaults(venue: VenueStandIn, kind: BinanceKind): void {
  const root = kind === 'spot' ? '/api/v3' : '/fapi/v1'
  venue.answer(`${root}/time`, () => json({ serverTime: Date.now() })(new URLSearchParams(), '', 'GET'))
  venue.answer(`${root}/exchangeInfo`, json({ rateLimits: [], symbols: listed(kind) }))
  venue.answer(`${root}/ticker/bookTicker`, json({ bidPrice: '60000', askPrice: '60001' }))
  venue.answer(`${root}/order`, json(orderOf({})))
  venue.answer(`${root}/openOrders`, json([]))
  if (kind === 'spot') {
    venue.answer(
      '/api/v3/account',
      json({ canTrade: true, balances: [{ asset: 'USDT', free: '1', locked: '0' }] }),
    )
    venue.answer('/api/v3/referencePrice', noReferencePrice)
    venue.answer('/api/v3/avgPrice', json({ mins: 5, price: '60000' }))
    for (const list of ['myTrades', 'allOrders']) venue.answer(`/api/v3/${list}`, json([]))
    return
  }
  for (const list of futuresLists) venue.answer(`/fapi/v1/${list}`, json([]))
  venue.answer('/fapi/v1/algoOrder', orderAbsent)
  venue.answer('/fapi/v1/listenKey', json({ listenKey: 'key' }))
  venue.answer('/fapi/v1/premiumIndex', json({ markPrice: '60000' }))
  venue.answer('/fapi/v1/accountConfig', json({ dualSidePosition: false }))
  venue.answer('/fapi/v1/symbolConfig', (query) => {
    const symbol = query.get('symbol')
    return json([{ symbol, marginType: 'CROSSED', leverage: 20 }])(query, '', 'GET')
  })
  const [usdt, totals] = [
    { asset: 'USDT', walletBalance: '10', marginBalance: '10', availableBalance: '9' },
    { totalMarginBalance: '900', availableBalance: '700' },
  ]
  venue.answer('/fapi/v3/account', json({ ...totals, assets: [usdt], positions: [] }))
  venue.answer('/fapi/v3/positionRisk', json([]))
}
