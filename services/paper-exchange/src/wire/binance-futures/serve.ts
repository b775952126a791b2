import type { Backing, VenueWire } from '../backing.ts'
import type { Dialect } from '../binance/dialect.ts'
import { openDesk, serveHttp } from '../binance/serve.ts'
import { accountRoutes } from './account-routes.ts'
import { marketRoutes } from './market-routes.ts'
import { orderRoutes } from './order-routes.ts'

const DIALECT: Dialect = {
  wire: 'binance-futures',
  routes: new Map([...marketRoutes, ...accountRoutes, ...orderRoutes]),
  texts: {
    [-1008]:
      'Request throttled by system-level protection. Reduce-only/close-position orders are exempt. Please try again.',
    [-2018]: 'Balance is insufficient.',
    [-2019]: 'Margin is insufficient.',
    [-2022]: 'ReduceOnly Order is rejected.',
    [-4116]: 'ClientOrderId is duplicated.',
  },
  limits: {
    weight: 2_400,
    orders: [
      { name: '10S', interval: 'SECOND', intervalNum: 10, lengthMs: 10_000, limit: 300 },
      { name: '1M', interval: 'MINUTE', intervalNum: 1, lengthMs: 60_000, limit: 1_200 },
    ],
  },
  tooMuchWeight: (limit) => `Too many requests; current limit is ${limit} requests per minute.`,
  banned: () => 'Way too many requests; IP banned. Please use the websocket for live updates to avoid bans.',
  notFound: (method, path) => ({
    status: 404,
    code: -5000,
    message: `Path ${path}, Method ${method} is invalid`,
  }),
}

/** Binance USDⓈ-M futures. */
export function createBinanceFutures(backing: Backing): VenueWire {
  return { http: serveHttp(openDesk(backing, DIALECT)) }
}
