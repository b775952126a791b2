import { type Market, marketOf } from '../../domain/market.ts'
import type { Exchange, VenueEvent } from '../../exchange.ts'
import type { PushEvent } from '../binance/stream-sockets.ts'
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

/** Subscribers of public streams, by the stream's name. */
export type PublicStreams = Readonly<{
  /** Pushes a stream's events from now on; undefined if there is none of that name. */
  join: (name: string, push: PushEvent) => (() => void) | undefined
  stop: () => void
}>

type OpenStream = Readonly<{ stream: Stream; pushes: Set<PushEvent>; books: Books }>
type MarketListeners = Readonly<{
  isPinned: (symbol: string) => boolean
  view: (market: Market, now: number) => MarketView
  streams: Map<string, OpenStream>
}>

const BEAT_MS = 1_000

/** Sends the market's events to those who listen. */
export function createPublicStreams(exchange: Exchange, tape: Tape, nowMs: () => number): PublicStreams {
  const state: MarketListeners = {
    isPinned: exchange.quotes.isPinned,
    view: (market, now) => viewMarket(exchange, tape, market, now),
    streams: new Map(),
  }
  const stopListening = exchange.subscribe((event) => onEvent(state, event))
  const timer = setInterval(() => beat(state, nowMs()), BEAT_MS).unref()
  return {
    join: (name, push) => {
      const stream = readStream(name)
      return stream && join(state, name, stream, push, nowMs())
    },
    stop: () => {
      clearInterval(timer)
      stopListening()
    },
  }
}

function join(
  { view, streams }: MarketListeners,
  name: string,
  stream: Stream,
  push: PushEvent,
  now: number,
): () => void {
  const one = streams.get(name) ?? { stream, pushes: new Set(), books: new Map() }
  one.pushes.add(push)
  streams.set(name, one)
  // Prices may stand still for long, so a new subscriber gets the present ones.
  pushCurrent(stream, (market) => view(market, now), [push])
  for (const market of stream.markets) if (!one.books.has(market.id)) remember(one.books, view(market, now))
  return () => {
    one.pushes.delete(push)
    if (one.pushes.size === 0 && streams.get(name) === one) streams.delete(name)
  }
}

function pushCurrent(
  stream: Stream,
  view: (market: Market) => MarketView,
  pushes: Iterable<PushEvent>,
): void {
  const frames = stream.markets.map((market) => ({ market, body: standing(stream, view(market)) }))
  if (frames.some(({ body }) => body === undefined)) return
  for (const push of pushes) {
    if (stream.isList) push(frames.map(({ body }) => body))
    else for (const { market, body } of frames) push(body, market.symbol)
  }
}

// Some streams speak by the clock, whether anything happened or not.
function beat({ view, streams }: MarketListeners, now: number): void {
  const second = Math.floor(now / BEAT_MS)
  for (const { stream, pushes } of streams.values()) {
    if (stream.everyS > 0 && second % stream.everyS === 0)
      pushCurrent(stream, (market) => view(market, now), pushes)
  }
}

function onEvent({ isPinned, view, streams }: MarketListeners, event: VenueEvent): void {
  const market = streams.size === 0 ? undefined : marketOfEvent(event)
  if (!market) return
  let seen: MarketView | undefined
  for (const one of streams.values()) {
    if (!one.stream.markets.includes(market)) continue
    seen ??= view(market, event.at)
    // Prices that somebody moves by hand are pushed at once: the next actor means the new ones.
    const isMoved = event.kind === 'quote' && one.stream.kind === 'markPrice' && isPinned(market.symbol)
    const body = isMoved ? markPriceFrame(seen) : bodyAt(one, seen, event)
    if (body !== undefined) for (const push of one.pushes) push(body, market.symbol)
  }
}

function marketOfEvent(event: VenueEvent): Market | undefined {
  if (event.kind === 'account' || event.kind === 'list' || event.kind === 'funding') return undefined
  const market = event.kind === 'order' ? marketOf(event.order.market) : event.market
  return market.venue === 'binance-futures' ? market : undefined
}

// Returns the present frame of a stream; undefined for a stream of changes only.
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

// Returns a stream's body for an event, or undefined if there is none.
function bodyAt(one: OpenStream, seen: MarketView, event: VenueEvent): unknown {
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

function bookBody({ stream, books }: OpenStream, seen: MarketView): unknown {
  const before = books.get(seen.market.id)
  const after = remember(books, seen)
  if (stream.kind === 'bookTicker') return before?.top === after.top ? undefined : bookTickerFrame(seen)
  if (stream.levels > 0) return partialBook(stream, seen)
  if (!before) return undefined
  const bids = changedLevels(before.bids, after.bids)
  const asks = changedLevels(before.asks, after.asks)
  return depthFrame(seen, before.updateId, { bids, asks })
}
