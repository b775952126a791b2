import type { Backing, VenueWire } from './backing.ts'
import type { WireName } from './bases.ts'
import { createBinanceFutures } from './binance-futures/serve.ts'
import { createBinanceSpot } from './binance-spot/serve.ts'
import { createBybit } from './bybit/serve.ts'
import { createOkx } from './okx/serve.ts'

/** The way to open each venue. */
export const WIRES: Readonly<Partial<Record<WireName, (backing: Backing) => VenueWire>>> = {
  'binance-spot': createBinanceSpot,
  'binance-futures': createBinanceFutures,
  bybit: createBybit,
  okx: createOkx,
}
