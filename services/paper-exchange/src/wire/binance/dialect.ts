import type { Venue } from '../../domain/market.ts'
import type { Route } from './route.ts'
import type { Limits } from './usage.ts'

/** The differences between Binance's markets on the wire. */
export type Dialect = Readonly<{
  wire: Venue
  routes: ReadonlyMap<string, Route>
  /** Its words for codes, where they are not those of all its markets. */
  texts: Readonly<Record<number, string>>
  limits: Limits
  tooMuchWeight: (limit: number) => string
  banned: (untilMs: number) => string
  /** Returns the answer to an unknown method and path. */
  notFound: (method: string, path: string) => Readonly<{ status: number; code: number; message: string }>
}>
