import { larger, smaller } from '../../domain/fixed.ts'
import { type Market, type MarketId, valueAt } from '../../domain/market.ts'
import type { Exchange } from '../../exchange.ts'

/** A trade anybody may see. */
export type Printed = Readonly<{
  id: number
  price: bigint
  quantity: bigint
  at: number
  buyerIsMaker: boolean
}>

/** The price moves of a span; prices and volume in the market's precision, value in money. */
export type Candle = Readonly<{
  from: number
  open: bigint
  high: bigint
  low: bigint
  close: bigint
  volume: bigint
  value: bigint
  count: number
}>

/** The markets' record since the exchange started. */
export type Tape = Readonly<{
  /** The latest trades of a market, oldest first. */
  trades: (market: MarketId) => readonly Printed[]
  /** One candle for each minute in which something happened, oldest first. */
  minutes: (market: MarketId) => readonly Candle[]
}>

type Track = { trades: Printed[]; minutes: Candle[] }

const MINUTE_MS = 60_000
const MOST_TRADES = 1_000
// A day and an hour.
const MOST_MINUTES = 1_500
const NOTHING: Track = { trades: [], minutes: [] }

/** Writes down what happens in the spot markets from now on. */
export function createTape(exchange: Pick<Exchange, 'subscribe'>): Tape {
  const tracks = new Map<MarketId, Track>()
  const trackOf = ({ id }: Market): Track => {
    const track = tracks.get(id) ?? { trades: [], minutes: [] }
    tracks.set(id, track)
    return track
  }
  exchange.subscribe((event) => {
    if (event.kind !== 'quote' && event.kind !== 'trade') return
    if (event.market.venue !== 'binance-spot') return
    const track = trackOf(event.market)
    if (event.kind === 'quote') return extend(track.minutes, candleOf(event.at, event.quote.last))
    const { id, price, quantity, takerSide, at, market } = event
    keep(track.trades, { id, price, quantity, at, buyerIsMaker: takerSide === 'sell' }, MOST_TRADES)
    extend(track.minutes, {
      ...candleOf(at, price),
      volume: quantity,
      value: valueAt(market, quantity, price),
      count: 1,
    })
  })
  return {
    trades: (market) => (tracks.get(market) ?? NOTHING).trades,
    minutes: (market) => (tracks.get(market) ?? NOTHING).minutes,
  }
}

function candleOf(at: number, price: bigint): Candle {
  const from = at - (at % MINUTE_MS)
  return { from, open: price, high: price, low: price, close: price, volume: 0n, value: 0n, count: 0 }
}

function extend(minutes: Candle[], next: Candle): void {
  const last = minutes.at(-1)
  if (last?.from === next.from) minutes[minutes.length - 1] = joined(last, next)
  else keep(minutes, next, MOST_MINUTES)
}

function keep<Row>(rows: Row[], row: Row, most: number): void {
  rows.push(row)
  if (rows.length > most) rows.shift()
}

/** Two spans of which the second follows the first, as one. */
export function joined(first: Candle, next: Candle): Candle {
  return {
    from: first.from,
    open: first.open,
    high: larger(first.high, next.high),
    low: smaller(first.low, next.low),
    close: next.close,
    volume: first.volume + next.volume,
    value: first.value + next.value,
    count: first.count + next.count,
  }
}

/** The minutes as candles of a longer length, oldest first. */
export function gathered(minutes: readonly Candle[], lengthMs: number): Candle[] {
  const candles: Candle[] = []
  for (const minute of minutes) {
    const from = minute.from - (minute.from % lengthMs)
    const last = candles.at(-1)
    if (last?.from === from) candles[candles.length - 1] = joined(last, minute)
    else candles.push({ ...minute, from })
  }
  return candles
}
