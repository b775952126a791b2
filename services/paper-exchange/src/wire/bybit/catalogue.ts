import { accountRoutes } from './account-routes.ts'
import { historyRoutes } from './history-routes.ts'
import { marketRoutes } from './market-routes.ts'
import { orderRoutes } from './order-routes.ts'
import { positionRoutes } from './position-routes.ts'
import type { Route } from './route.ts'

/** Every endpoint by method and path. */
export const ROUTES: ReadonlyMap<string, Route> = new Map([
  ...marketRoutes,
  ...orderRoutes,
  ...historyRoutes,
  ...positionRoutes,
  ...accountRoutes,
])
