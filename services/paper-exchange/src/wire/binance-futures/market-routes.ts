import { formatFixed } from '../../domain/fixed.ts'
import { type Market, marketsOf } from '../../domain/market.ts'
import type { Exchange } from '../../exchange.ts'
import { missing, VenueError } from '../binance/errors.ts'
import { open, type PublicCall, type Route, signed } from '../binance/route.ts'
import type { Params } from '../params.ts'
import { formatCandles, formatStillCandles } from './candles.ts'
import {
  formatAggregate,
  formatBookTicker,
  formatDayTicker,
  formatDepth,
  formatExchangeInfo,
  formatPremiumIndex,
  formatPriceTicker,
  formatPublicTrade,
  type MarketView,
} from './format-market.ts'
import { collect, isWithin, readLimit, readMarket, readWhole, startsSomewhere } from './read-params.ts'
import type { Tape, Trade } from './tape.ts'

const DEPTHS = [5, 10, 20, 50, 100, 500, 1000]

/** The market as it is now, seen at a moment. */
export function viewMarket({ quotes }: Exchange, tape: Tape, market: Market, now: number): MarketView {
  const { bids, asks } = quotes.depth(market.id)
  const [trades, updateId] = [tape.trades(market), tape.updateId(market.id)]
  return { market, quote: quotes.of(market.id), bids, asks, trades, updateId, now }
}

function readDepth(params: Params): number {
  const limit = readWhole(params, 'limit') ?? 500
  if (!DEPTHS.includes(limit)) throw new VenueError(-4021, `${limit} is not valid depth limit.`)
  return limit
}

// A deeper look costs more.
function depthWeight(params: Params): number {
  const limit = Number(params.get('limit') ?? 500)
  if (limit <= 50) return 2
  if (limit <= 100) return 5
  return limit <= 500 ? 10 : 20
}

function trades({ params }: PublicCall, view: MarketView) {
  const limit = readLimit(params, 500, 1_000)
  return view.trades.slice(-limit).map((trade) => formatPublicTrade(view, trade))
}

function aggregates({ params }: PublicCall, view: MarketView) {
  const limit = readLimit(params, 500, 1_000)
  const fromId = readWhole(params, 'fromId')
  const [from = 0, to = Number.POSITIVE_INFINITY] = [
    readWhole(params, 'startTime'),
    readWhole(params, 'endTime'),
  ]
  const wanted = (trade: Trade): Trade | undefined => {
    if (fromId !== undefined) return trade.id >= fromId ? trade : undefined
    return isWithin({ from, to, limit }, trade.at) ? trade : undefined
  }
  const found = collect(view.trades, limit, startsSomewhere(params), wanted)
  return found.map((trade) => formatAggregate(view, trade))
}

function openInterest({ venueNow }: PublicCall, { market }: MarketView) {
  // Against the house every position has its counterpart, and the house's own are not counted.
  const openInterest = formatFixed(0n, market.quantityPrecision)
  return { openInterest, symbol: market.symbol, time: venueNow }
}

const stillCandles =
  (which: 'mark' | 'index') =>
  ({ params, venueNow }: PublicCall, { quote }: MarketView) =>
    formatStillCandles(quote[which], params, venueNow)

// The distance of the mark from the index is not traded either.
const premiumCandles = ({ params, venueNow }: PublicCall) => formatStillCandles(0n, params, venueNow)

function readPair({ exchange, params, venueNow }: PublicCall, tape: Tape): MarketView {
  if (!params.get('pair')) throw missing('pair')
  const market = readMarket(new Map([['symbol', params.get('pair') ?? '']]))
  return viewMarket(exchange, tape, market, venueNow)
}

function lookups(tape: Tape) {
  const one = (read: (call: PublicCall, view: MarketView) => unknown) => (call: PublicCall) =>
    read(call, viewMarket(call.exchange, tape, readMarket(call.params), call.venueNow))
  // One market when the request names it, else all of them.
  const each = (format: (view: MarketView) => unknown) => (call: PublicCall) => {
    const shown = (market: Market) => format(viewMarket(call.exchange, tape, market, call.venueNow))
    const { params } = call
    return params.has('symbol') ? shown(readMarket(params)) : marketsOf('binance-futures').map(shown)
  }
  return { one, each }
}

const weightOfAll = (single: number, all: number) => (params: Params) => (params.has('symbol') ? single : all)

/** Routes of public data. */
export function marketRoutes(tape: Tape): ReadonlyArray<readonly [string, Route]> {
  return [...GENERAL_ROUTES, ...bookRoutes(tape), ...candleRoutes(tape), ...priceRoutes(tape)]
}

const GENERAL_ROUTES: ReadonlyArray<readonly [string, Route]> = [
  ['GET /fapi/v1/ping', open(1, () => ({}))],
  ['GET /fapi/v1/time', open(1, ({ venueNow }) => ({ serverTime: venueNow }))],
  ['GET /fapi/v1/exchangeInfo', open(1, ({ usage, venueNow }) => formatExchangeInfo(usage, venueNow))],
  // Nothing is paid between longs and shorts here.
  ['GET /fapi/v1/fundingRate', open(1, () => [])],
  ['GET /fapi/v1/fundingInfo', open(0, () => [])],
  // Currencies and margin pairs belong to other products of the venue; unmodified clients ask for them in passing.
  ['GET /sapi/v1/capital/config/getall', signed(10, () => [])],
  ['GET /sapi/v1/margin/allPairs', signed(1, () => [])],
  ['GET /sapi/v1/margin/isolated/allPairs', signed(10, () => [])],
]

function bookRoutes(tape: Tape): ReadonlyArray<readonly [string, Route]> {
  const { one, each } = lookups(tape)
  const depth = one((call, view) => formatDepth(view, readDepth(call.params)))
  return [
    ['GET /fapi/v1/depth', open(depthWeight, depth)],
    ['GET /fapi/v1/rpiDepth', open(20, depth)],
    ['GET /fapi/v1/trades', open(5, one(trades))],
    ['GET /fapi/v1/historicalTrades', open(20, one(trades))],
    ['GET /fapi/v1/aggTrades', open(20, one(aggregates))],
    ['GET /fapi/v1/ticker/bookTicker', open(weightOfAll(2, 5), each(formatBookTicker))],
    ['GET /fapi/v1/openInterest', open(1, one(openInterest))],
  ]
}

function candleRoutes(tape: Tape): ReadonlyArray<readonly [string, Route]> {
  const { one } = lookups(tape)
  return [
    [
      'GET /fapi/v1/klines',
      open(
        5,
        one((call, view) => formatCandles(view, call.params)),
      ),
    ],
    ['GET /fapi/v1/markPriceKlines', open(5, one(stillCandles('mark')))],
    ['GET /fapi/v1/premiumIndexKlines', open(5, one(premiumCandles))],
    ['GET /fapi/v1/indexPriceKlines', open(5, (call) => stillCandles('index')(call, readPair(call, tape)))],
    ['GET /fapi/v1/continuousKlines', open(5, (call) => formatCandles(readPair(call, tape), call.params))],
  ]
}

function priceRoutes(tape: Tape): ReadonlyArray<readonly [string, Route]> {
  const { each } = lookups(tape)
  return [
    ['GET /fapi/v1/ticker/24hr', open(weightOfAll(1, 40), each(formatDayTicker))],
    ['GET /fapi/v1/ticker/price', open(weightOfAll(1, 2), each(formatPriceTicker))],
    ['GET /fapi/v2/ticker/price', open(weightOfAll(1, 2), each(formatPriceTicker))],
    ['GET /fapi/v1/premiumIndex', open(weightOfAll(1, 10), each(formatPremiumIndex))],
  ]
}
