import type { Backing, VenueWire } from './backing.ts'
import type { WireName } from './bases.ts'
import { createBinanceFutures } from './binance-futures/serve.ts'

/** How each venue is opened. */
export const WIRES: Readonly<Partial<Record<WireName, (backing: Backing) => VenueWire>>> = {
  'binance-futures': createBinanceFutures,
}
