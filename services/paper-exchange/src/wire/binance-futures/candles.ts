import { formatFixed, larger, smaller } from '../../domain/fixed.ts'
import { type Market, VALUE_SCALE, valueAt } from '../../domain/market.ts'
import { VenueError } from '../binance/errors.ts'
import type { Params } from '../params.ts'
import type { MarketView } from './format-market.ts'
import { readLimit, readWhole } from './read-params.ts'
import type { Trade } from './tape.ts'

const MINUTE_MS = 60_000
const UNITS_MS: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 1_440 * MINUTE_MS,
  w: 10_080 * MINUTE_MS,
  M: 43_200 * MINUTE_MS,
}
/** The lengths of candles there are. */
export const INTERVALS: readonly string[] = '1m 3m 5m 15m 30m 1h 2h 4h 6h 8h 12h 1d 3d 1w 1M'.split(' ')

/** Returns the length of the candles that a request wants. */
function readInterval(params: Params): number {
  const text = params.get('interval') ?? ''
  if (!INTERVALS.includes(text)) throw new VenueError(-1120, 'Invalid interval.')
  return Number(text.slice(0, -1)) * (UNITS_MS[text.slice(-1)] ?? MINUTE_MS)
}

type Candle = Readonly<{
  at: number
  trades: readonly Trade[]
  open: bigint
  high: bigint
  low: bigint
  close: bigint
}>

// A span without trades has the price of now.
function candleOf(at: number, length: number, view: MarketView): Candle {
  const trades = view.trades.filter((trade) => trade.at >= at && trade.at < at + length)
  const prices = trades.length === 0 ? [view.quote.last] : trades.map(({ price }) => price)
  const [open = view.quote.last] = prices
  return {
    at,
    trades,
    open,
    high: prices.reduce(larger),
    low: prices.reduce(smaller),
    close: prices.at(-1) ?? open,
  }
}

function openings(params: Params, length: number, now: number): number[] {
  const limit = readLimit(params, 500, 1_500)
  const last = Math.min(readWhole(params, 'endTime') ?? now, now)
  const from = readWhole(params, 'startTime')
  const newest = last - (last % length)
  const first = newest - (limit - 1) * length
  const start = from === undefined ? first : Math.ceil(from / length) * length
  const count = Math.max(0, Math.min(limit, Math.floor((newest - start) / length) + 1))
  return Array.from({ length: count }, (_, index) => start + index * length)
}

/** The candles of the last price (`/fapi/v1/klines`). */
export function formatCandles(view: MarketView, params: Params): unknown[] {
  const length = readInterval(params)
  return openings(params, length, view.now).map((at) =>
    formatCandle(view.market, candleOf(at, length, view), length),
  )
}

function formatCandle(market: Market, { at, trades, open, high, low, close }: Candle, length: number) {
  const price = (value: bigint) => formatFixed(value, market.pricePrecision)
  const bought = trades.filter(({ takerSide }) => takerSide === 'buy')
  return [
    at,
    price(open),
    price(high),
    price(low),
    price(close),
    volumeText(market, trades),
    at + length - 1,
    valueText(market, trades),
    trades.length,
    volumeText(market, bought),
    valueText(market, bought),
    '0',
  ]
}

function volumeText({ quantityPrecision }: Market, trades: readonly Trade[]): string {
  return formatFixed(
    trades.reduce((sum, { quantity }) => sum + quantity, 0n),
    quantityPrecision,
  )
}

function valueText(market: Market, trades: readonly Trade[]): string {
  const value = trades.reduce((sum, { price, quantity }) => sum + valueAt(market, quantity, price), 0n)
  return formatFixed(value / 1_000n, 5)
}

/** The candles of a price that nobody trades at: mark or index (`/fapi/v1/markPriceKlines`). */
export function formatStillCandles(price: bigint, params: Params, now: number): unknown[] {
  const length = readInterval(params)
  const text = formatFixed(price, VALUE_SCALE)
  return openings(params, length, now).map((at) => [
    at,
    text,
    text,
    text,
    text,
    '0',
    at + length - 1,
    '0',
    0,
    '0',
    '0',
    '0',
  ])
}
