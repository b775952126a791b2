import type { Answering, VenueStandIn } from './venue-stand-in.ts'

const ok = (result: object): Answering => {
  return () => ({ status: 200, text: JSON.stringify({ retCode: 0, retMsg: 'OK', result, time: Date.now() }) })
}

const shared = { symbol: 'BTCUSDT', baseCoin: 'BTC', quoteCoin: 'USDT', status: 'Trading' }
const instruments = {
  linear: {
    ...{ ...shared, contractType: 'LinearPerpetual', settleCoin: 'USDT', priceFilter: { tickSize: '0.1' } },
    leverageFilter: { maxLeverage: '100' },
    lotSizeFilter: { qtyStep: '0.001', minOrderQty: '0.001', maxOrderQty: '100', maxMktOrderQty: '50' },
  },
  spot: {
    ...{ ...shared, priceFilter: { tickSize: '0.01' } },
    lotSizeFilter: { basePrecision: '0.000001', minOrderAmt: '5' },
  },
}

/** Has a stand-in answer everything that a client asks, as a venue does at which nothing happens. */
export function bybitDefaults(venue: VenueStandIn, category: 'linear' | 'spot'): void {
  venue.answer('/v5/market/time', () => {
    const now = Date.now()
    const result = { timeSecond: `${Math.floor(now / 1000)}`, timeNano: `${now}000000` }
    return { status: 200, text: JSON.stringify({ retCode: 0, retMsg: 'OK', result, time: now }) }
  })
  venue.answer('/v5/market/instruments-info', (query) =>
    ok({ list: query.get('status') === 'PreLaunch' || query.has('cursor') ? [] : [instruments[category]] })(
      query,
      '',
    ),
  )
  venue.answer(
    '/v5/market/tickers',
    ok({ list: [{ bid1Price: '60000', ask1Price: '60001', lastPrice: '60000' }] }),
  )
  venue.answer('/v5/account/info', ok({ marginMode: 'REGULAR_MARGIN' }))
  const coin = [{ coin: 'USDT', equity: '1000', walletBalance: '1000', unrealisedPnl: '0' }]
  venue.answer('/v5/account/wallet-balance', ok({ list: [{ totalAvailableBalance: '1000', coin }] }))
  venue.answer('/v5/position/list', ok({ list: [] }))
  venue.answer('/v5/order/history', ok({ list: [] }))
  venue.answer('/v5/execution/list', ok({ list: [] }))
  venue.answer('/v5/order/realtime', orderRow(category, 'New'))
  for (const path of ['position/set-leverage', 'position/switch-mode', 'account/set-margin-mode'])
    venue.answer(`/v5/${path}`, ok({}))
  venue.answer('/v5/order/create', ok({ orderId: 'theirs', orderLinkId: '' }))
  venue.answer('/v5/order/cancel', ok({ orderId: 'theirs', orderLinkId: '' }))
  for (const path of ['/v5/private', '/v5/trade'])
    venue.talk(path, (said) => {
      const { op, reqId } = JSON.parse(said)
      return JSON.stringify({
        op: op === 'ping' ? 'pong' : op,
        reqId,
        success: true,
        retCode: 0,
        retMsg: 'OK',
      })
    })
}

/** Answers with an order of the id that is asked for, or with nothing where none is. */
export function orderRow(category: 'linear' | 'spot', orderStatus: string): Answering {
  return (query, body) => {
    const orderLinkId = query.get('orderLinkId')
    const row = { orderId: 'theirs', orderLinkId, symbol: 'BTCUSDT', side: 'Buy', orderStatus, qty: '0.01' }
    const list = orderLinkId === null ? [] : [{ ...row, cumExecQty: '0', updatedTime: `${Date.now()}` }]
    return ok({ category, list })(query, body)
  }
}
