import { MARKETS, type Market } from '../../domain/market.ts'
import type { Quote } from '../../domain/quote.ts'
import { open, type PublicCall, type Route } from '../binance/route.ts'
import {
  formatBookTicker,
  formatDayTicker,
  formatExchangeInfo,
  formatPremiumIndex,
  formatPriceTicker,
} from './format-market.ts'
import { readMarket } from './read-order.ts'

type Format = (market: Market, quote: Quote, now: number) => unknown

// One market when the request names it, else all of them.
function eachMarket(format: Format): (call: PublicCall) => unknown {
  return ({ exchange, params, venueNow }) => {
    const shown = (market: Market) => format(market, exchange.quotes.of(market.symbol), venueNow)
    return params.has('symbol') ? shown(readMarket(params)) : MARKETS.map(shown)
  }
}

/** What the venue tells everybody. */
export const marketRoutes: ReadonlyArray<readonly [string, Route]> = [
  ['GET /fapi/v1/ping', open(1, () => ({}))],
  ['GET /fapi/v1/time', open(1, ({ venueNow }) => ({ serverTime: venueNow }))],
  ['GET /fapi/v1/exchangeInfo', open(1, ({ venueNow }) => formatExchangeInfo(venueNow))],
  ['GET /fapi/v1/ticker/bookTicker', open(2, eachMarket(formatBookTicker))],
  ['GET /fapi/v1/ticker/24hr', open(1, eachMarket(formatDayTicker))],
  ['GET /fapi/v1/ticker/price', open(1, eachMarket(formatPriceTicker))],
  ['GET /fapi/v2/ticker/price', open(1, eachMarket(formatPriceTicker))],
  ['GET /fapi/v1/premiumIndex', open(1, eachMarket(formatPremiumIndex))],
]
