import type { ExchangeMarket } from '@tripline/proto/exchange'
import type { RecordedMarket } from '../src/venue/read/drift.ts'
import { probedFutures } from './binance/futures.ts'
import { probedSpot } from './binance/spot.ts'
import { probedBybit } from './bybit/market.ts'
import type { Line } from './exchange.ts'
import type { ProbedMarket } from './market.ts'

/** The probe of each market, and the product's name for it. */
export const probedMarkets: Readonly<
  Record<RecordedMarket, { market: ExchangeMarket; open: (line: Line) => ProbedMarket }>
> = {
  'binance-futures': { market: 'binance_futures_usdt', open: probedFutures },
  'binance-spot': { market: 'binance_spot', open: probedSpot },
  'bybit-linear': { market: 'bybit', open: probedBybit },
  'bybit-spot': { market: 'bybit_spot', open: probedBybit },
}
