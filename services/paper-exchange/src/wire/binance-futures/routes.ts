import type { Route } from '../binance/route.ts'
import { accountRoutes } from './account-routes.ts'
import { algoRoutes } from './algo-routes.ts'
import { batchRoutes } from './batch-routes.ts'
import type { Deadlines } from './deadlines.ts'
import { incomeRoutes } from './income-routes.ts'
import { keyRoutes } from './key-routes.ts'
import type { ListenKeys } from './listen-keys.ts'
import { marketRoutes } from './market-routes.ts'
import { orderRoutes } from './order-routes.ts'
import { settingsRoutes } from './settings-routes.ts'
import type { Tape } from './tape.ts'

/** Every endpoint of the venue by method and path. */
export function routesOf(tape: Tape, deadlines: Deadlines, keys: ListenKeys): ReadonlyMap<string, Route> {
  return new Map([
    ...marketRoutes(tape),
    ...accountRoutes,
    ...settingsRoutes,
    ...incomeRoutes,
    ...orderRoutes(deadlines),
    ...batchRoutes(deadlines),
    ...algoRoutes(deadlines),
    ...keyRoutes(keys),
  ])
}
