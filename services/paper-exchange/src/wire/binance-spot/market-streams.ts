import type { Clock } from '../../clock.ts'
import { findMarket, type Market, type MarketId, marketsOf } from '../../domain/market.ts'
import type { Level } from '../../domain/quote.ts'
import type { VenueEvent } from '../../exchange.ts'
import type { Backing } from '../backing.ts'
import type { JoinStream } from '../binance/stream-sockets.ts'
import { type Book, changeOf, dayOf, formatBookTicker, formatLevels } from './format-market.ts'
import { priceText, quantityText, valueText } from './format-order.ts'
import type { Tape } from './tape.ts'

/** The public streams, and the numbers of the states of each book. */
export type MarketStreams = Readonly<{ join: JoinStream; updateId: (market: Market) => number }>

type PushEvent = (event: unknown, symbol?: string) => void
type Listener = (event: Extract<VenueEvent, { kind: 'quote' | 'trade' }>) => void
/** Starts pushing a stream of a market, and returns its stop function. */
type Start = (board: Board, market: Market, push: PushEvent) => () => void

type Board = Readonly<{
  exchange: Backing['exchange']
  clock: Clock
  tape: Tape
  listeners: Map<MarketId, Set<Listener>>
  updateId: (market: Market) => number
  /** Counts the state of the book on, and returns its number. */
  nextId: (market: Market) => number
}>

const STREAM = /^([a-z0-9]{1,20})@(.{1,40})$/
const ALL_TICKERS: Readonly<Record<string, (board: Board, market: Market) => unknown>> = {
  '!ticker@arr': dayEvent,
  '!miniTicker@arr': miniEvent,
}
const SECOND_MS = 1_000
const DEPTH_MS = 100

/** The public streams over what happens in the spot markets. */
export function createMarketStreams(
  { exchange, clock }: Pick<Backing, 'exchange' | 'clock'>,
  tape: Tape,
): MarketStreams {
  const listeners: Board['listeners'] = new Map()
  const ids = new Map<MarketId, number>()
  const updateId = ({ id }: Market) => ids.get(id) ?? 1
  const nextId = (market: Market) => {
    const next = updateId(market) + 1
    ids.set(market.id, next)
    return next
  }
  exchange.subscribe((event) => {
    if (event.kind !== 'quote' && event.kind !== 'trade') return
    for (const listener of listeners.get(event.market.id) ?? []) listener(event)
  })
  const board: Board = { exchange, clock, tape, listeners, updateId, nextId }
  return { updateId, join: (stream, push) => joinAll(board, stream, push) ?? joinOne(board, stream, push) }
}

function joinAll(board: Board, stream: string, push: PushEvent): (() => void) | undefined {
  const format = ALL_TICKERS[stream]
  if (!format) return undefined
  return every(SECOND_MS, () => push(marketsOf('binance-spot').map((market) => format(board, market))))
}

function joinOne(board: Board, stream: string, push: PushEvent): (() => void) | undefined {
  const [, symbol = '', topic = ''] = STREAM.exec(stream) ?? []
  const market = findMarket('binance-spot', symbol.toUpperCase())
  const start = topicOf(topic)
  return market && start ? start(board, market, (event) => push(event, market.symbol)) : undefined
}

function topicOf(topic: string): Start | undefined {
  const partial = /^depth(5|10|20)(?:@(?:100ms|1000ms))?$/.exec(topic)
  if (partial) return startPartialDepth(Number(partial[1]))
  if (/^depth(?:@(?:100ms|1000ms))?$/.test(topic)) return startDepth
  return TOPICS[topic]
}

const TOPICS: Readonly<Record<string, Start>> = {
  bookTicker: startBookTicker,
  trade: startTrades((market, id) => ({ e: 'trade', s: market.symbol, t: id })),
  aggTrade: startTrades((market, id) => ({ e: 'aggTrade', s: market.symbol, a: id, f: id, l: id })),
  ticker: startEverySecond(dayEvent),
  miniTicker: startEverySecond(miniEvent),
  referencePrice: startEverySecond(referenceEvent),
}

function every(ms: number, push: () => void): () => void {
  push()
  const timer = setInterval(push, ms)
  timer.unref()
  return () => clearInterval(timer)
}

function startEverySecond(format: (board: Board, market: Market) => unknown): Start {
  return (board, market, push) => every(SECOND_MS, () => push(format(board, market)))
}

function listen({ listeners }: Board, { id }: Market, listener: Listener): () => void {
  const mine = listeners.get(id) ?? new Set()
  listeners.set(id, mine.add(listener))
  return () => void mine.delete(listener)
}

function startBookTicker(board: Board, market: Market, push: PushEvent): () => void {
  const now = () => {
    const book = formatBookTicker(market, board.exchange.quotes.depth(market.id))
    const { symbol: s, bidPrice: b, bidQty: B, askPrice: a, askQty: A } = book
    push({ u: board.nextId(market), s, b, B, a, A })
  }
  now()
  return listen(board, market, ({ kind }) => {
    if (kind === 'quote') now()
  })
}

function startTrades(name: (market: Market, id: number) => Readonly<Record<string, unknown>>): Start {
  return (board, market, push) =>
    listen(board, market, (event) => {
      if (event.kind !== 'trade') return
      const { id, price, quantity, takerSide, at } = event
      push({
        ...name(market, id),
        E: at,
        p: priceText(market, price),
        q: quantityText(market, quantity),
        T: at,
        m: takerSide === 'sell',
        M: true,
      })
    })
}

function miniEvent({ exchange, tape, clock }: Board, market: Market) {
  const now = clock.nowMs()
  const { candle } = dayOf(market, tape, exchange.quotes.of(market.id), now)
  return {
    e: '24hrMiniTicker',
    E: now,
    s: market.symbol,
    c: priceText(market, candle.close),
    o: priceText(market, candle.open),
    h: priceText(market, candle.high),
    l: priceText(market, candle.low),
    v: quantityText(market, candle.volume),
    q: valueText(candle.value),
  }
}

// Its own filter is measured by the last price, so that is what it calls the reference.
function referenceEvent({ exchange, clock }: Board, market: Market) {
  const { last } = exchange.quotes.of(market.id)
  return { e: 'referencePrice', s: market.symbol, r: priceText(market, last), t: clock.nowMs() }
}

function dayEvent(board: Board, market: Market) {
  const { exchange, tape, clock } = board
  const day = dayOf(market, tape, exchange.quotes.of(market.id), clock.nowMs())
  const { change, percent, average } = changeOf(market, day)
  const best = formatBookTicker(market, exchange.quotes.depth(market.id))
  return {
    ...miniEvent(board, market),
    e: '24hrTicker',
    p: change,
    P: percent,
    w: average,
    x: priceText(market, day.candle.open),
    Q: quantityText(market, 0n),
    b: best.bidPrice,
    B: best.bidQty,
    a: best.askPrice,
    A: best.askQty,
    O: day.from,
    C: day.to,
    F: day.firstId,
    L: day.lastId,
    n: day.candle.count,
  }
}

function startPartialDepth(levels: number): Start {
  return (board, market, push) => {
    let last: string | undefined
    return every(DEPTH_MS, () => {
      const { bids, asks } = board.exchange.quotes.depth(market.id)
      const book = {
        bids: formatLevels(market, bids.slice(0, levels)),
        asks: formatLevels(market, asks.slice(0, levels)),
      }
      const text = JSON.stringify(book)
      if (text === last) return
      last = text
      push({ lastUpdateId: board.nextId(market), ...book })
    })
  }
}

// Each event has the levels that changed since the one before; a level that is gone has no quantity.
function startDepth(board: Board, market: Market, push: PushEvent): () => void {
  let before: Book = { bids: [], asks: [] }
  let lastId = board.updateId(market)
  return every(DEPTH_MS, () => {
    const book = board.exchange.quotes.depth(market.id)
    const [b, a] = [changed(before.bids, book.bids), changed(before.asks, book.asks)]
    before = book
    if (b.length === 0 && a.length === 0) return
    const id = board.nextId(market)
    const event = { e: 'depthUpdate', E: board.clock.nowMs(), s: market.symbol, U: lastId + 1, u: id }
    lastId = id
    push({ ...event, b: formatLevels(market, b), a: formatLevels(market, a) })
  })
}

function changed(before: readonly Level[], after: readonly Level[]): Level[] {
  const known = new Map(before.map(({ price, quantity }) => [price, quantity]))
  const there = new Set(after.map(({ price }) => price))
  const gone = before.filter(({ price }) => !there.has(price)).map(({ price }) => ({ price, quantity: 0n }))
  return [...after.filter(({ price, quantity }) => known.get(price) !== quantity), ...gone]
}
