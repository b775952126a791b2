import type { Backing, VenueWire } from '../backing.ts'
import type { Dialect } from '../binance/dialect.ts'
import { openCallContext, serveHttp } from '../binance/serve.ts'
import { createWsApi } from '../binance/ws-api.ts'
import { createDeadlines, watchAllGoodTill } from './deadlines.ts'
import { createListenKeys } from './listen-keys.ts'
import { createPublicStreams } from './public-streams.ts'
import { routesOf } from './routes.ts'
import { createStreamSockets } from './stream-paths.ts'
import { createTape } from './tape.ts'
import { createUserStreams } from './user-streams.ts'
import { METHODS, ownMethods } from './ws-methods.ts'

const WORDS: Omit<Dialect, 'routes'> = {
  wire: 'binance-futures',
  texts: {
    [-1008]:
      'Request throttled by system-level protection. Reduce-only/close-position orders are exempt. Please try again.',
    [-2018]: 'Balance is insufficient.',
    [-2019]: 'Margin is insufficient.',
    [-2021]: 'Order would immediately trigger.',
    [-2022]: 'ReduceOnly Order is rejected.',
    [-4116]: 'ClientOrderId is duplicated.',
    [-4118]: 'ReduceOnly Order Failed. Please check your existing position and open orders',
    [-5028]: 'Timestamp for this request is outside of the ME recvWindow.',
  },
  limits: {
    weight: 2_400,
    orders: [
      { name: '10S', interval: 'SECOND', intervalNum: 10, lengthMs: 10_000, limit: 300 },
      { name: '1M', interval: 'MINUTE', intervalNum: 1, lengthMs: 60_000, limit: 1_200 },
    ],
  },
  tooMuchWeight: (limit) =>
    `Too many requests; current limit is ${limit} requests per minute. Please use the websocket for live updates to avoid polling the API.`,
  banned: (untilMs) =>
    `Way too many requests; IP banned until ${untilMs}. Please use the websocket for live updates to avoid bans.`,
  notFound: (method, path) => ({
    status: 404,
    code: -5000,
    message: `Path ${path}, Method ${method} is invalid`,
  }),
}

/** Binance USDⓈ-M futures. */
export function createBinanceFutures(backing: Backing): VenueWire {
  const { exchange, clock, stopping, feed } = backing
  const deadlines = createDeadlines(clock.nowMs)
  const keys = createListenKeys(deadlines)
  const tape = createTape(exchange)
  const users = createUserStreams(exchange, keys, clock.nowMs)
  const markets = createPublicStreams(exchange, tape, clock.nowMs)
  watchAllGoodTill(deadlines, exchange)
  backing.onExpireListenKeys((isStruck) => keys.expire(isStruck, clock.nowMs()))
  stopping.addEventListener('abort', () => {
    deadlines.stop()
    markets.stop()
  })
  const context = openCallContext(backing, { ...WORDS, routes: routesOf(tape, deadlines, keys) })
  const connection = { methods: ownMethods(), close: () => {} }
  const requests = createWsApi(context, '/ws-fapi/v1', METHODS, () => connection)
  const streams = createStreamSockets(feed, users, markets)
  return {
    http: serveHttp(context),
    sockets: (request, peer) => requests(request, peer) ?? streams(request, peer),
  }
}
