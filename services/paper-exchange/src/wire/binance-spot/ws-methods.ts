import { unauthorized, VenueError } from '../binance/errors.ts'
import { type Route, signed } from '../binance/route.ts'
import type { Connection } from '../binance/ws-api.ts'
import type { Peer } from '../socket.ts'
import type { AccountStreams } from './account-streams.ts'
import { readWhole } from './read-params.ts'

/** The endpoint over HTTP that does what a method over a socket does. */
export const METHODS: ReadonlyMap<string, string> = new Map([
  ['ping', 'GET /api/v3/ping'],
  ['time', 'GET /api/v3/time'],
  ['exchangeInfo', 'GET /api/v3/exchangeInfo'],
  ['depth', 'GET /api/v3/depth'],
  ['trades.recent', 'GET /api/v3/trades'],
  ['trades.historical', 'GET /api/v3/historicalTrades'],
  ['trades.aggregate', 'GET /api/v3/aggTrades'],
  ['klines', 'GET /api/v3/klines'],
  ['uiKlines', 'GET /api/v3/uiKlines'],
  ['avgPrice', 'GET /api/v3/avgPrice'],
  ['referencePrice', 'GET /api/v3/referencePrice'],
  ['ticker.24hr', 'GET /api/v3/ticker/24hr'],
  ['ticker.price', 'GET /api/v3/ticker/price'],
  ['ticker.book', 'GET /api/v3/ticker/bookTicker'],
  ['order.place', 'POST /api/v3/order'],
  ['order.test', 'POST /api/v3/order/test'],
  ['order.status', 'GET /api/v3/order'],
  ['order.cancel', 'DELETE /api/v3/order'],
  ['order.cancelReplace', 'POST /api/v3/order/cancelReplace'],
  ['openOrders.status', 'GET /api/v3/openOrders'],
  ['openOrders.cancelAll', 'DELETE /api/v3/openOrders'],
  ['orderList.place', 'POST /api/v3/order/oco'],
  ['orderList.place.oco', 'POST /api/v3/orderList/oco'],
  ['orderList.status', 'GET /api/v3/orderList'],
  ['orderList.cancel', 'DELETE /api/v3/orderList'],
  ['openOrderLists.status', 'GET /api/v3/openOrderList'],
  ['account.status', 'GET /api/v3/account'],
  ['account.rateLimits.orders', 'GET /api/v3/rateLimit/order'],
  ['account.commission', 'GET /api/v3/account/commission'],
  ['allOrders', 'GET /api/v3/allOrders'],
  ['allOrderLists', 'GET /api/v3/allOrderList'],
  ['myTrades', 'GET /api/v3/myTrades'],
])

// Sessions are for Ed25519 keys; an account here has an HMAC key.
const NO_SESSION = 'HMAC_SHA256 API key is not supported.'

/** Returns a connection's own method: to listen to the account. */
export function connectSpot(streams: AccountStreams): (peer: Peer) => Connection {
  return (peer) => ({
    methods: new Map<string, Route>([
      ['session.logon', signed(2, refuseSession)],
      ['session.status', { access: 'public', weight: 2, run: () => ({ body: SESSION_OF_NOBODY }) }],
      ['session.logout', { access: 'public', weight: 2, run: () => ({ body: SESSION_OF_NOBODY }) }],
      [
        'session.subscriptions',
        { access: 'public', weight: 2, run: () => ({ body: listed(streams, peer) }) },
      ],
      ['userDataStream.subscribe', { access: 'public', weight: 2, run: refuseUnauthorized }],
      ['userDataStream.subscribe.signature', signed(2, ({ entry }) => subscribe(streams, peer, entry))],
      [
        'userDataStream.unsubscribe',
        {
          access: 'public',
          weight: 2,
          run: ({ params }) => ({ body: unsubscribe(streams, peer, readWhole(params, 'subscriptionId')) }),
        },
      ],
    ]),
    close: () => void streams.unsubscribe(peer),
  })
}

const SESSION_OF_NOBODY = {
  apiKey: null,
  authorizedSince: null,
  connectedSince: null,
  returnRateLimits: true,
  serverTime: null,
  userDataStream: false,
}

function refuseSession(): never {
  throw new VenueError(-4056, NO_SESSION)
}

function refuseUnauthorized(): never {
  throw unauthorized()
}

function subscribe(streams: AccountStreams, peer: Peer, entry: Parameters<AccountStreams['subscribe']>[1]) {
  const subscriptionId = streams.subscribe(peer, entry)
  if (subscriptionId === 'active')
    throw new VenueError(-2035, 'User Data Stream subscription already active.')
  if (subscriptionId === 'full')
    throw new VenueError(-2042, 'Maximum subscription ID reached for this connection.')
  return { subscriptionId }
}

function unsubscribe(streams: AccountStreams, peer: Peer, id: number | undefined) {
  if (!streams.unsubscribe(peer, id) && id !== undefined)
    throw new VenueError(-2036, 'User Data Stream subscription not active.')
  return {}
}

function listed(streams: AccountStreams, peer: Peer) {
  return streams.list(peer).map(({ id }) => ({ subscriptionId: id, subscriptionType: 'signature' }))
}
