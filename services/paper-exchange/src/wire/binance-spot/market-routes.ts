import { type Market, marketsOf } from '../../domain/market.ts'
import { VenueError } from '../binance/errors.ts'
import { open, type PublicCall, type Route } from '../binance/route.ts'
import type { Params } from '../params.ts'
import {
  dayOf,
  formatAggregate,
  formatBookTicker,
  formatCandle,
  formatDayTicker,
  formatExchangeInfo,
  formatLevels,
  formatMiniTicker,
  formatPrinted,
} from './format-market.ts'
import { priceText } from './format-order.ts'
import {
  needWord,
  readLimit,
  readMarket,
  readMarkets,
  readMoment,
  readText,
  readWhole,
  readWord,
} from './read-params.ts'
import { gathered, type Printed, type Tape } from './tape.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
// A second is counted by its minute, a month by thirty days.
const INTERVALS: Readonly<Record<string, number>> = {
  '1s': MINUTE_MS,
  '1m': MINUTE_MS,
  '3m': 3 * MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1h': HOUR_MS,
  '2h': 2 * HOUR_MS,
  '4h': 4 * HOUR_MS,
  '6h': 6 * HOUR_MS,
  '8h': 8 * HOUR_MS,
  '12h': 12 * HOUR_MS,
  '1d': DAY_MS,
  '3d': 3 * DAY_MS,
  '1w': 7 * DAY_MS,
  '1M': 30 * DAY_MS,
}

function exchangeInfo({ params, venueNow, usage }: PublicCall) {
  readText(params, 'permissions')
  const chosen = readMarkets(params)
  return formatExchangeInfo('id' in chosen ? [chosen] : chosen, usage, venueNow)
}

function depth({ params, exchange }: PublicCall, updateId: (market: Market) => number) {
  const market = readMarket(params)
  const limit = readLimit(params, 100, 5_000)
  const { bids, asks } = exchange.quotes.depth(market.id)
  return {
    lastUpdateId: updateId(market),
    bids: formatLevels(market, bids.slice(0, limit)),
    asks: formatLevels(market, asks.slice(0, limit)),
  }
}

// One market when the request names it, else several.
function each(format: (market: Market, call: PublicCall) => unknown): (call: PublicCall) => unknown {
  return (call) => {
    const chosen = readMarkets(call.params)
    return 'id' in chosen ? format(chosen, call) : chosen.map((market) => format(market, call))
  }
}

const bookTicker = (market: Market, { exchange }: PublicCall) =>
  formatBookTicker(market, exchange.quotes.depth(market.id))

const priceTicker = (market: Market, { exchange }: PublicCall) => ({
  symbol: market.symbol,
  price: priceText(market, exchange.quotes.of(market.id).last),
})

function dayTicker(tape: Tape) {
  return (market: Market, { exchange, params, venueNow }: PublicCall) => {
    const mini = readWord(
      params,
      'type',
      { FULL: false, MINI: true },
      () => new VenueError(-1139, 'Invalid ticker type.'),
    )
    const day = dayOf(market, tape, exchange.quotes.of(market.id), venueNow)
    return mini
      ? formatMiniTicker(market, day)
      : formatDayTicker(market, day, exchange.quotes.depth(market.id))
  }
}

function trades<Row>(tape: Tape, format: (market: Market, trade: Printed) => Row) {
  return ({ params }: PublicCall): Row[] => {
    const market = readMarket(params)
    const limit = readLimit(params, 500, 1_000)
    const first = readWhole(params, 'fromId') ?? 0
    const from = readMoment(params, 'startTime') ?? 0
    const to = readMoment(params, 'endTime') ?? Number.POSITIVE_INFINITY
    const rows = tape.trades(market.id).filter(({ id, at }) => id >= first && at >= from && at <= to)
    const wanted = first > 0 || from > 0 ? rows.slice(0, limit) : rows.slice(-limit)
    return wanted.map((trade) => format(market, trade))
  }
}

function klines(tape: Tape) {
  return ({ params }: PublicCall) => {
    const market = readMarket(params)
    const lengthMs = needWord(params, 'interval', INTERVALS, () => new VenueError(-1120, 'Invalid interval.'))
    const from = readMoment(params, 'startTime') ?? 0
    const to = readMoment(params, 'endTime') ?? Number.POSITIVE_INFINITY
    const limit = readLimit(params, 500, 1_000)
    const rows = gathered(tape.minutes(market.id), lengthMs).filter(
      (one) => one.from >= from && one.from <= to,
    )
    const chosen = from > 0 ? rows.slice(0, limit) : rows.slice(-limit)
    return chosen.map((candle) => formatCandle(market, candle, lengthMs))
  }
}

function averagePrice({ params, exchange, venueNow }: PublicCall) {
  const market = readMarket(params)
  return { mins: 5, price: priceText(market, exchange.quotes.of(market.id).last), closeTime: venueNow }
}

// It always has one: what its own filters are measured by ("Query Reference Price" of rest-api.md, 2026-04).
function referencePrice({ params, exchange, venueNow }: PublicCall) {
  const market = readMarket(params)
  const { last } = exchange.quotes.of(market.id)
  return { symbol: market.symbol, referencePrice: priceText(market, last), timestamp: venueNow }
}

function depthWeight(params: Params): number {
  const limit = Number(params.get('limit') ?? 100)
  if (limit <= 100) return 5
  if (limit <= 500) return 25
  return limit <= 1_000 ? 50 : 250
}

const chosen = (one: number, all: number) => (params: Params) => (params.has('symbol') ? one : all)

function dayWeight(params: Params): number {
  if (params.has('symbol')) return 2
  const several = params.get('symbols')?.split(',').length ?? marketsOf('binance-spot').length
  return several <= 20 ? 2 : 40
}

const CHOICE = ['symbol', 'symbols']
const AGGREGATES = ['symbol', 'limit', 'fromId', 'startTime', 'endTime']
const KLINES = ['symbol', 'interval', 'startTime', 'endTime', 'timeZone', 'limit']

/** Routes of public data; `updateId` numbers the states of a market's book. */
export function marketRoutes(
  tape: Tape,
  updateId: (market: Market) => number,
): ReadonlyArray<readonly [string, Route]> {
  return [
    ['GET /api/v3/ping', { ...open(1, () => ({})), reads: [] }],
    ['GET /api/v3/time', { ...open(1, ({ venueNow }) => ({ serverTime: venueNow })), reads: [] }],
    [
      'GET /api/v3/exchangeInfo',
      { ...open(20, exchangeInfo), reads: [...CHOICE, 'permissions', 'showPermissionSets', 'symbolStatus'] },
    ],
    [
      'GET /api/v3/depth',
      { ...open(depthWeight, (call) => depth(call, updateId)), reads: ['symbol', 'limit'] },
    ],
    ['GET /api/v3/trades', { ...open(25, trades(tape, formatPrinted)), reads: ['symbol', 'limit'] }],
    [
      'GET /api/v3/historicalTrades',
      { ...open(25, trades(tape, formatPrinted)), reads: ['symbol', 'limit', 'fromId'] },
    ],
    ['GET /api/v3/aggTrades', { ...open(4, trades(tape, formatAggregate)), reads: AGGREGATES }],
    ['GET /api/v3/klines', { ...open(2, klines(tape)), reads: KLINES }],
    ['GET /api/v3/uiKlines', { ...open(2, klines(tape)), reads: KLINES }],
    ['GET /api/v3/avgPrice', { ...open(2, averagePrice), reads: ['symbol'] }],
    ['GET /api/v3/referencePrice', { ...open(2, referencePrice), reads: ['symbol'] }],
    ['GET /api/v3/ticker/24hr', { ...open(dayWeight, each(dayTicker(tape))), reads: [...CHOICE, 'type'] }],
    ['GET /api/v3/ticker/price', { ...open(chosen(2, 4), each(priceTicker)), reads: CHOICE }],
    ['GET /api/v3/ticker/bookTicker', { ...open(chosen(2, 4), each(bookTicker)), reads: CHOICE }],
  ]
}
