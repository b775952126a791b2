import type { ExchangeMarket } from '@tripline/proto/exchange'
import { openBinanceFutures } from './binance/futures.ts'
import { openBinanceSpot } from './binance/spot.ts'
import { openBybitLinear } from './bybit/linear.ts'
import { openBybitSpot } from './bybit/spot.ts'
import { openCcxtVenue } from './ccxt/open-venue.ts'
import { okxDialect } from './okx/dialect.ts'
import type { OpenedVenue, VenueOptions } from './venue.ts'

/** The way to open a market that bots trade on. */
export interface VenueMarket {
  open: (options: VenueOptions) => Promise<OpenedVenue>
  /** A path that costs the venue next to nothing. */
  pingPath: string
}

/** Every market that bots trade on; Paper speaks Binance's protocols. */
export const venueMarkets: Readonly<Record<ExchangeMarket, VenueMarket>> = {
  binance_futures_usdt: { open: openBinanceFutures, pingPath: '/fapi/v1/ping' },
  binance_spot: { open: openBinanceSpot, pingPath: '/api/v3/ping' },
  bybit: { open: openBybitLinear, pingPath: '/v5/market/time' },
  bybit_spot: { open: openBybitSpot, pingPath: '/v5/market/time' },
  okx: {
    open: async (options) => await openCcxtVenue(options, okxDialect('linear')),
    pingPath: '/api/v5/public/time',
  },
  okx_spot: {
    open: async (options) => await openCcxtVenue(options, okxDialect('spot')),
    pingPath: '/api/v5/public/time',
  },
  paper_futures: { open: openBinanceFutures, pingPath: '/fapi/v1/ping' },
  paper_spot: { open: openBinanceSpot, pingPath: '/api/v3/ping' },
}
