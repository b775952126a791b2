import type { Backing, VenueWire } from './backing.ts'
import type { WireName } from './bases.ts'
import { createBinanceFutures } from './binance-futures/serve.ts'

/** Every venue that this exchange speaks as. */
export const VENUES: Readonly<Partial<Record<WireName, (backing: Backing) => VenueWire>>> = {
  'binance-futures': createBinanceFutures,
}
