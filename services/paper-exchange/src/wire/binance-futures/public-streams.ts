import { type Market, marketOf } from '../../domain/market.ts'
import type { Exchange, VenueEvent } from '../../exchange.ts'
import type { Tell } from '../binance/stream-sockets.ts'
import { type Books, changedLevels, remember } from './books.ts'
import type { MarketView } from './format-market.ts'
import {
  aggTradeFrame,
  bookTickerFrame,
  depthFrame,
  forceOrderFrame,
  klineFrame,
  markPriceFrame,
  miniTickerFrame,
  tickerFrame,
  tradeFrame,
} from './format-stream.ts'
import { viewMarket } from './market-routes.ts'
import { readStream, type Stream } from './stream-names.ts'
import type { Tape } from './tape.ts'

/** Who hears what everybody may hear, by the stream's name. */
export type PublicStreams = Readonly<{
  /** Tells a stream's events from now on; undefined where there is none of that name. */
  join: (name: string, tell: Tell) => (() => void) | undefined
  stop: () => void
}>

type Heard = Readonly<{ stream: Stream; tells: Set<Tell>; books: Books }>
type State = Readonly<{
  isPinned: (symbol: string) => boolean
  view: (market: Market, now: number) => MarketView
  heard: Map<string, Heard>
}>

const BEAT_MS = 1_000

/** Sends the market's events to those who listen. */
export function createPublicStreams(exchange: Exchange, tape: Tape, nowMs: () => number): PublicStreams {
  const state: State = {
    isPinned: exchange.quotes.isPinned,
    view: (market, now) => viewMarket(exchange, tape, market, now),
    heard: new Map(),
  }
  const stopListening = exchange.listen((event) => hear(state, event))
  const timer = setInterval(() => beat(state, nowMs()), BEAT_MS).unref()
  return {
    join: (name, tell) => {
      const stream = readStream(name)
      return stream && join(state, name, stream, tell, nowMs())
    },
    stop: () => {
      clearInterval(timer)
      stopListening()
    },
  }
}

function join({ view, heard }: State, name: string, stream: Stream, tell: Tell, now: number): () => void {
  const one = heard.get(name) ?? { stream, tells: new Set(), books: new Map() }
  one.tells.add(tell)
  heard.set(name, one)
  // Prices may stand still for long, so who comes is told where they stand.
  tellStanding(stream, (market) => view(market, now), [tell])
  for (const market of stream.markets) if (!one.books.has(market.id)) remember(one.books, view(market, now))
  return () => {
    one.tells.delete(tell)
    if (one.tells.size === 0 && heard.get(name) === one) heard.delete(name)
  }
}

function tellStanding(stream: Stream, view: (market: Market) => MarketView, tells: Iterable<Tell>): void {
  const frames = stream.markets.map((market) => ({ market, body: standing(stream, view(market)) }))
  if (frames.some(({ body }) => body === undefined)) return
  for (const tell of tells) {
    if (stream.isList) tell(frames.map(({ body }) => body))
    else for (const { market, body } of frames) tell(body, market.symbol)
  }
}

// Some streams speak by the clock, whether anything happened or not.
function beat({ view, heard }: State, now: number): void {
  const second = Math.floor(now / BEAT_MS)
  for (const { stream, tells } of heard.values()) {
    if (stream.everyS > 0 && second % stream.everyS === 0)
      tellStanding(stream, (market) => view(market, now), tells)
  }
}

function hear({ isPinned, view, heard }: State, event: VenueEvent): void {
  const market = heard.size === 0 ? undefined : marketOfEvent(event)
  if (!market) return
  let seen: MarketView | undefined
  for (const one of heard.values()) {
    if (!one.stream.markets.includes(market)) continue
    seen ??= view(market, event.at)
    // Prices that somebody moves by hand are told at once: whoever acts next means the new ones.
    const isMoved = event.kind === 'quote' && one.stream.kind === 'markPrice' && isPinned(market.symbol)
    const body = isMoved ? markPriceFrame(seen) : bodyAt(one, seen, event)
    if (body !== undefined) for (const tell of one.tells) tell(body, market.symbol)
  }
}

function marketOfEvent(event: VenueEvent): Market | undefined {
  if (event.kind === 'account' || event.kind === 'list' || event.kind === 'funding') return undefined
  const market = event.kind === 'order' ? marketOf(event.order.market) : event.market
  return market.venue === 'binance-futures' ? market : undefined
}

// How things stand, as a stream says it; undefined where it tells of changes only.
function standing(stream: Stream, seen: MarketView): unknown {
  switch (stream.kind) {
    case 'bookTicker':
      return bookTickerFrame(seen)
    case 'markPrice':
      return markPriceFrame(seen)
    case 'ticker':
      return tickerFrame(seen)
    case 'miniTicker':
      return miniTickerFrame(seen)
    case 'kline':
      return klineFrame(seen, stream.interval)
    case 'depth':
      return stream.levels > 0 ? partialBook(stream, seen) : undefined
    default:
      return undefined
  }
}

function partialBook({ levels }: Stream, seen: MarketView) {
  const [bids, asks] = [seen.bids.slice(0, levels), seen.asks.slice(0, levels)]
  return depthFrame(seen, seen.updateId - 1, { bids, asks })
}

// What a stream says of an event, or undefined where it has nothing to say.
function bodyAt(one: Heard, seen: MarketView, event: VenueEvent): unknown {
  const { kind } = one.stream
  if (kind === 'bookTicker' || kind === 'depth') return bookBody(one, seen)
  if (event.kind === 'trade') {
    if (kind === 'aggTrade') return aggTradeFrame(seen, event)
    return kind === 'trade' ? tradeFrame(seen, event) : undefined
  }
  if (kind !== 'forceOrder' || event.kind !== 'order' || event.order.origin !== 'liquidation')
    return undefined
  return event.fill && forceOrderFrame(seen, event.order, event.fill)
}

function bookBody({ stream, books }: Heard, seen: MarketView): unknown {
  const before = books.get(seen.market.id)
  const after = remember(books, seen)
  if (stream.kind === 'bookTicker') return before?.top === after.top ? undefined : bookTickerFrame(seen)
  if (stream.levels > 0) return partialBook(stream, seen)
  if (!before) return undefined
  const bids = changedLevels(before.bids, after.bids)
  const asks = changedLevels(before.asks, after.asks)
  return depthFrame(seen, before.updateId, { bids, asks })
}
