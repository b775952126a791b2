import type { Backing, VenueWire } from '../backing.ts'
import type { Dialect } from '../binance/dialect.ts'
import type { CallContext } from '../binance/perform.ts'
import { openCallContext, serveHttp } from '../binance/serve.ts'
import { openStreams } from '../binance/stream-sockets.ts'
import { createWsApi } from '../binance/ws-api.ts'
import type { SocketRequest, SocketSession, SocketWire } from '../socket.ts'
import { accountRoutes } from './account-routes.ts'
import { createAccountStreams } from './account-streams.ts'
import { listRoutes } from './list-routes.ts'
import { marketRoutes } from './market-routes.ts'
import { createMarketStreams, type MarketStreams } from './market-streams.ts'
import { orderRoutes } from './order-routes.ts'
import { replaceRoutes } from './replace-route.ts'
import { createTape } from './tape.ts'
import { connectSpot, METHODS } from './ws-methods.ts'

const DAY_MS = 86_400_000

// Listen keys are gone from spot; clients subscribe over the socket.
const RETIRED = /^\/(?:api|sapi)\/v\d\/userDataStream/

const DIALECT: Omit<Dialect, 'routes'> = {
  wire: 'binance-spot',
  texts: {},
  limits: {
    weight: 6_000,
    orders: [
      { name: '10S', interval: 'SECOND', intervalNum: 10, lengthMs: 10_000, limit: 100 },
      { name: '1D', interval: 'DAY', intervalNum: 1, lengthMs: DAY_MS, limit: 200_000 },
    ],
  },
  tooMuchWeight: (limit) =>
    `Too much request weight used; current limit is ${limit} request weight per 1 MINUTE. Please use WebSocket Streams for live updates to avoid polling the API.`,
  banned: (untilMs) =>
    `Way too much request weight used; IP banned until ${untilMs}. Please use WebSocket Streams for live updates to avoid bans.`,
  notFound: (method, path) =>
    RETIRED.test(path)
      ? { status: 410, code: -1016, message: 'This service is no longer available.' }
      : { status: 404, code: -5000, message: `Path ${path}, Method ${method} is invalid` },
}

/** Binance spot. */
export function createBinanceSpot(backing: Backing): VenueWire {
  const tape = createTape(backing.exchange)
  const markets = createMarketStreams(backing, tape)
  const routes = new Map([
    ...marketRoutes(tape, markets.updateId),
    ...accountRoutes,
    ...orderRoutes,
    ...replaceRoutes,
    ...listRoutes,
  ])
  const context = openCallContext(backing, { ...DIALECT, routes })
  forgiveFilled(context)
  const api = createWsApi(context, '/ws-api/v3', METHODS, connectSpot(createAccountStreams(backing)))
  const streams = serveStreams(backing, markets)
  return {
    http: serveHttp(context),
    sockets: (request, peer) => api(request, peer) ?? streams(request, peer),
  }
}

function serveStreams({ feed }: Backing, { join }: MarketStreams): SocketWire {
  return (request, peer): SocketSession | undefined => {
    const named = streamsOf(request)
    if (!named) return undefined
    return openStreams(feed, join, peer, request.path === '/stream' ? 'combined' : 'raw', named)
  }
}

function streamsOf({ path, query }: SocketRequest): string[] | undefined {
  if (path === '/stream') return split(new URLSearchParams(query).get('streams') ?? '')
  if (path === '/ws') return []
  return path.startsWith('/ws/') ? split(decodeURIComponent(path.slice('/ws/'.length))) : undefined
}

function split(text: string): string[] {
  return text.split('/').filter((stream) => stream !== '')
}

// An order that trades gives back what it counted, and more of it when it had waited in the book.
const GIVEN_BACK = { maker: 5, taker: 1 }

function forgiveFilled({ exchange, usage, clock }: CallContext): void {
  exchange.subscribe((event) => {
    if (event.kind !== 'order' || !event.fill || !event.order.market.startsWith('binance-spot:')) return
    const isFirst = event.order.filled === event.fill.quantity
    if (!isFirst) return
    const back = event.fill.maker ? GIVEN_BACK.maker : GIVEN_BACK.taker
    usage.countOrders(event.entry.apiKey, -back, clock.nowMs())
  })
}
