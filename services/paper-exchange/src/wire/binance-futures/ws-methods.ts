import { VenueError } from '../binance/errors.ts'
import { open, type Route, signed } from '../binance/route.ts'

/** Which endpoint over HTTP does what a method over sockets does. */
export const METHODS: ReadonlyMap<string, string> = new Map([
  ['ping', 'GET /fapi/v1/ping'],
  ['time', 'GET /fapi/v1/time'],
  ['depth', 'GET /fapi/v1/depth'],
  ['ticker.price', 'GET /fapi/v2/ticker/price'],
  ['ticker.book', 'GET /fapi/v1/ticker/bookTicker'],
  ['order.place', 'POST /fapi/v1/order'],
  ['order.test', 'POST /fapi/v1/order/test'],
  ['order.modify', 'PUT /fapi/v1/order'],
  ['order.cancel', 'DELETE /fapi/v1/order'],
  ['order.status', 'GET /fapi/v1/order'],
  ['algoOrder.place', 'POST /fapi/v1/algoOrder'],
  ['algoOrder.cancel', 'DELETE /fapi/v1/algoOrder'],
  ['account.status', 'GET /fapi/v2/account'],
  ['v2/account.status', 'GET /fapi/v3/account'],
  ['account.balance', 'GET /fapi/v2/balance'],
  ['v2/account.balance', 'GET /fapi/v3/balance'],
  ['account.position', 'GET /fapi/v2/positionRisk'],
  ['v2/account.position', 'GET /fapi/v3/positionRisk'],
  ['userDataStream.start', 'POST /fapi/v1/listenKey'],
  ['userDataStream.ping', 'PUT /fapi/v1/listenKey'],
  ['userDataStream.stop', 'DELETE /fapi/v1/listenKey'],
])

// Sessions are for Ed25519 keys, and accounts here have a shared secret.
function refuseSession(): never {
  throw new VenueError(-4056, 'HMAC_SHA256 API key is not supported.')
}

const NO_SESSION = {
  apiKey: null,
  authorizedSince: null,
  connectedSince: null,
  returnRateLimits: false,
  serverTime: 0,
}

/** Returns the methods of a connection that no endpoint over HTTP has. */
export function ownMethods(): ReadonlyMap<string, Route> {
  return new Map<string, Route>([
    ['session.logon', signed(2, refuseSession)],
    ['session.status', open(2, ({ venueNow }) => ({ ...NO_SESSION, serverTime: venueNow }))],
    ['session.logout', open(2, ({ venueNow }) => ({ ...NO_SESSION, serverTime: venueNow }))],
  ])
}
