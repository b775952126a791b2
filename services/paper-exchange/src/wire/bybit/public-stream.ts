import type { Market, MarketId } from '../../domain/market.ts'
import type { Level } from '../../domain/quote.ts'
import type { VenueEvent } from '../../exchange.ts'
import type { Peer, SocketWire } from '../socket.ts'
import { type Category, categoryOfId, marketsIn } from './category.ts'
import {
  type Depth,
  formatBook,
  formatTicker,
  formatTrade,
  priceText,
  quantityText,
} from './format-market.ts'
import { connectionId, type Frame, namesIn, readFrame } from './frame.ts'
import type { CallContext } from './perform.ts'

type Channel = Readonly<{ kind: 'tickers' | 'publicTrade' | 'orderbook'; levels: number; market: Market }>

/** One topic with all its subscribers, and the book or the ticker that they all have seen. */
type Feed = {
  readonly topic: string
  readonly channel: Channel
  readonly peers: Set<Peer>
  seen: Depth
  update: number
  ticker: Ticker
  repeating: NodeJS.Timeout | undefined
}
type Ticker = Readonly<Record<string, string>>
type Feeds = Map<string, Feed>

const DEPTHS = [1, 50, 200, 500, 1_000]
const EMPTY: Depth = { bids: [], asks: [] }
// The first level is sent again after this long without a change.
const REPEAT_MS = 3_000

/** The public stream of a category: tickers, trades and books. */
export function createPublicStream(context: CallContext, category: Category): SocketWire {
  const feeds: Feeds = new Map()
  const byMarket = new Map<MarketId, Set<Feed>>()
  context.exchange.subscribe((event) => {
    const id = marketOfEvent(event)
    if (id === undefined || categoryOfId(id) !== category) return
    for (const feed of byMarket.get(id) ?? []) pushEvent(context, feed, event)
  })
  return (_request, peer) => {
    const connection = connectionId()
    const subscribed = new Set<Feed>()
    const stage = { context, category, feeds, byMarket, peer, subscribed, connection }
    return {
      onText: (text) => {
        const frame = readFrame(text)
        peer.send(frame ? answer(stage, frame) : reply(stage, { op: '', id: undefined }, 'Params Error'))
        if (frame?.op === 'subscribe') for (const topic of namesIn(frame)) greet(stage, topic)
      },
      onClose: () => {
        for (const feed of subscribed) leave(stage, feed)
      },
    }
  }
}

type Stage = Readonly<{
  context: CallContext
  category: Category
  feeds: Feeds
  byMarket: Map<MarketId, Set<Feed>>
  peer: Peer
  subscribed: Set<Feed>
  connection: string
}>

function marketOfEvent(event: VenueEvent): MarketId | undefined {
  if (event.kind === 'quote' || event.kind === 'trade') return event.market.id
  return event.kind === 'order' ? event.order.market : undefined
}

function answer(stage: Stage, frame: Frame): string {
  switch (frame.op) {
    case 'ping':
      return reply(stage, frame, undefined, 'pong')
    case 'subscribe':
      return reply(stage, frame, join(stage, namesIn(frame)))
    case 'unsubscribe':
      for (const topic of namesIn(frame)) {
        const feed = stage.feeds.get(topic)
        if (feed) leave(stage, feed)
      }
      return reply(stage, frame, undefined)
    default:
      return reply(stage, frame, `error:unknown op ${frame.op}`)
  }
}

function reply(
  { connection }: Stage,
  { op, id }: Pick<Frame, 'op' | 'id'>,
  wrong: string | undefined,
  text = '',
) {
  const words = { success: wrong === undefined, ret_msg: wrong ?? text, conn_id: connection }
  return JSON.stringify({ ...words, req_id: id ?? '', op })
}

function channelOf(topic: string, category: Category): Channel | undefined {
  const [kind, ...rest] = topic.split('.')
  const symbol = rest.at(-1)
  const market = marketsIn(category).find((one) => one.symbol === symbol)
  if (!market) return undefined
  if ((kind === 'tickers' || kind === 'publicTrade') && rest.length === 1) return { kind, levels: 0, market }
  const levels = DEPTHS.find((depth) => String(depth) === rest[0])
  return kind === 'orderbook' && rest.length === 2 && levels !== undefined
    ? { kind, levels, market }
    : undefined
}

function join(stage: Stage, topics: readonly string[]): string | undefined {
  if (topics.length === 0) return 'Params Error'
  for (const topic of topics) {
    if (!channelOf(topic, stage.category)) return `error:handler not found,topic:${topic}`
  }
  for (const topic of topics) enter(stage, topic)
  return undefined
}

function enter({ feeds, byMarket, category, peer, subscribed }: Stage, topic: string): void {
  const channel = channelOf(topic, category)
  if (!channel) return
  const feed = feeds.get(topic) ?? newFeed(topic, channel)
  feeds.set(topic, feed)
  const here = byMarket.get(channel.market.id) ?? new Set()
  byMarket.set(channel.market.id, here.add(feed))
  feed.peers.add(peer)
  subscribed.add(feed)
}

function newFeed(topic: string, channel: Channel): Feed {
  return { topic, channel, peers: new Set(), seen: EMPTY, update: 0, ticker: {}, repeating: undefined }
}

function leave({ feeds, byMarket, peer, subscribed }: Stage, feed: Feed): void {
  feed.peers.delete(peer)
  subscribed.delete(feed)
  if (feed.peers.size > 0) return
  feeds.delete(feed.topic)
  clearTimeout(feed.repeating)
  byMarket.get(feed.channel.market.id)?.delete(feed)
}

// Sends a new subscriber the present state: the ticker, or the whole book as all others have it.
function greet({ context, feeds, peer }: Stage, topic: string): void {
  const feed = feeds.get(topic)
  if (!feed?.peers.has(peer)) return
  const { kind, market, levels } = feed.channel
  const now = context.clock.nowMs()
  if (kind === 'tickers') greetTicker(context, feed, peer, now)
  if (kind !== 'orderbook') return
  refresh(context, feed, now, peer)
  send(context, [peer], feed, 'snapshot', formatBook(market, feed.seen, levels, feed.update), now)
  if (levels === 1) repeatLater(context, feed)
}

function greetTicker(context: CallContext, feed: Feed, peer: Peer, now: number): void {
  pushTicker(context, feed, now, peer)
  send(context, [peer], feed, 'snapshot', feed.ticker, now)
}

// Linear tickers are sent by their changes, spot's as a whole.
function pushTicker(context: CallContext, feed: Feed, now: number, newcomer?: Peer): void {
  const { market } = feed.channel
  const ticker = tickerOf(context, market, now)
  const changed = Object.entries(ticker).filter(([name, text]) => feed.ticker[name] !== text)
  feed.ticker = ticker
  const others = [...feed.peers].filter((peer) => peer !== newcomer)
  if (changed.length === 0 || others.length === 0) return
  const delta = { symbol: market.symbol, ...Object.fromEntries(changed) }
  if (market.kind === 'linear') send(context, others, feed, 'delta', delta, now)
  else send(context, others, feed, 'snapshot', ticker, now)
}

function repeatLater(context: CallContext, feed: Feed): void {
  clearTimeout(feed.repeating)
  const again = (): void => {
    const { market, levels } = feed.channel
    const book = formatBook(market, feed.seen, levels, feed.update)
    send(context, feed.peers, feed, 'snapshot', book, context.clock.nowMs())
    repeatLater(context, feed)
  }
  feed.repeating = setTimeout(again, REPEAT_MS).unref()
}

function pushEvent(context: CallContext, feed: Feed, event: VenueEvent): void {
  const { kind, market } = feed.channel
  const { at } = event
  if (kind === 'orderbook' && event.kind !== 'trade') refresh(context, feed, at)
  else if (kind === 'tickers' && event.kind === 'quote') pushTicker(context, feed, at)
  else if (kind === 'publicTrade' && event.kind === 'trade') {
    send(context, feed.peers, feed, 'snapshot', [tradeRow(market, event)], at)
  }
}

function tickerOf({ exchange: { quotes } }: CallContext, market: Market, now: number): Ticker {
  const ticker = formatTicker(market, quotes.of(market.id), quotes.depth(market.id), now)
  if (market.kind === 'linear') return { ...ticker, tickDirection: 'ZeroPlusTick' }
  // Spot's stream has no bid and no ask.
  const { bid1Price: _bid, bid1Size: _bids, ask1Price: _ask, ask1Size: _asks, ...rest } = ticker
  return rest
}

function tradeRow(market: Market, event: Extract<VenueEvent, { kind: 'trade' }>) {
  const { price, size, side, execId } = formatTrade(market, event)
  const row = { T: event.at, s: market.symbol, S: side, v: size, p: price }
  return { ...row, L: 'ZeroPlusTick', i: execId, BT: false, RPI: false, seq: event.id }
}

// Sends everybody but the newcomer how the book changed since the last time.
function refresh(context: CallContext, feed: Feed, now: number, newcomer?: Peer): void {
  const { market, levels } = feed.channel
  const full = context.exchange.quotes.depth(market.id)
  const depth = { bids: full.bids.slice(0, levels), asks: full.asks.slice(0, levels) }
  const [b, a] = [changes(market, feed.seen.bids, depth.bids), changes(market, feed.seen.asks, depth.asks)]
  if (b.length + a.length === 0) return
  feed.seen = depth
  feed.update += 1
  const others = [...feed.peers].filter((peer) => peer !== newcomer)
  if (others.length === 0) return
  // The first level is always sent whole.
  const whole = levels === 1
  const delta = { s: market.symbol, b, a, u: feed.update, seq: feed.update }
  const book = whole ? formatBook(market, depth, 1, feed.update) : delta
  send(context, others, feed, whole ? 'snapshot' : 'delta', book, now)
  if (whole) repeatLater(context, feed)
}

// Levels that are new or have another quantity; one that is gone has none left.
function changes(market: Market, before: readonly Level[], after: readonly Level[]) {
  const old = new Map(before.map(({ price, quantity }) => [price, quantity]))
  const rows: (readonly [string, string])[] = []
  for (const { price, quantity } of after) {
    if (old.get(price) !== quantity) rows.push([priceText(market, price), quantityText(market, quantity)])
    old.delete(price)
  }
  for (const price of old.keys()) rows.push([priceText(market, price), '0'])
  return rows
}

function send(
  { feed }: CallContext,
  peers: Iterable<Peer>,
  { topic, channel }: Feed,
  type: 'snapshot' | 'delta',
  data: unknown,
  at: number,
): void {
  const text = JSON.stringify({ topic, type, ts: at, data, cts: at })
  for (const peer of peers) feed.send(peer, undefined, channel.market.symbol, text)
}
