import { type HouseDepth, houseDepth } from '../domain/house.ts'
import {
  allMarkets,
  ceilToTick,
  finePrice,
  floorToTick,
  type Market,
  type MarketId,
  marketOf,
  VALUE_SCALE,
} from '../domain/market.ts'
import { type Level, type Prices, type Quote, quoteFrom } from '../domain/quote.ts'
import { hashOf } from '../domain/random.ts'
import { nextWalk, WALK_SCALE, type Walk } from '../domain/walk.ts'

/** A change of prices: what is in it replaces what was. */
export type QuotesChange = Readonly<{
  step?: number
  coins?: Readonly<Record<string, Walk>>
  /** Undefined lets the symbol go. */
  pinned?: Readonly<Record<string, Prices | undefined>>
  lasts?: Readonly<Record<MarketId, bigint>>
  /** The rates that positions pay of their value at each time of funding, by symbol. */
  fundingRates?: Readonly<Record<string, bigint>>
}>

/** The prices of all markets: pinned ones, else those of the price process. */
export type Quotes = Readonly<{
  of: (market: MarketId) => Quote
  /** Returns the levels that may be bought and sold now, best first: the house's and resting orders together. */
  depth: (market: MarketId) => Readonly<{ bids: readonly Level[]; asks: readonly Level[] }>
  isPinned: (symbol: string) => boolean
}>

/** The exchange's prices. */
export type QuoteBoard = Readonly<{
  of: (market: MarketId) => Quote
  house: (market: MarketId) => HouseDepth
  isPinned: (symbol: string) => boolean
  /** Takes over a change; the markets whose prices it may have moved. */
  apply: (change: QuotesChange) => Market[]
  /** The next step of everything that is not pinned. */
  nextStep: () => QuotesChange
  /** All there is to know, as one change. */
  state: () => QuotesChange
}>

/**
 * The start of prices: the seed of their moves, and centers (in the quote coin, eight places) other than the built-in
 * ones.
 */
export type QuoteSettings = Readonly<{ seed?: number; centers?: Readonly<Record<string, bigint>> }>

type Board = {
  readonly settings: QuoteSettings
  step: number
  readonly coins: Map<string, Walk>
  readonly pinned: Map<string, Prices>
  readonly lasts: Map<MarketId, bigint>
  readonly fundingRates: Map<string, bigint>
  readonly quotes: Map<MarketId, Quote>
  readonly houses: Map<MarketId, HouseDepth>
}

const THOUSAND = '1000'
const WALK_UNIT = 10n ** BigInt(WALK_SCALE - VALUE_SCALE)

/** Prices that begin at the markets' own. */
export function createQuotes(settings: QuoteSettings = {}): QuoteBoard {
  const board: Board = {
    settings,
    step: 0,
    coins: new Map(),
    pinned: new Map(),
    lasts: new Map(),
    fundingRates: new Map(),
    quotes: new Map(),
    houses: new Map(),
  }
  return {
    of: (market) => quoteOf(board, market),
    house: (market) => houseOf(board, market),
    isPinned: (symbol) => board.pinned.has(symbol),
    apply: (change) => apply(board, change),
    nextStep: () => nextStep(board),
    state: () => stateOf(board),
  }
}

function quoteOf(board: Board, id: MarketId): Quote {
  const known = board.quotes.get(id)
  if (known) return known
  const quote = freshQuote(board, marketOf(id))
  board.quotes.set(id, quote)
  return quote
}

function houseOf(board: Board, id: MarketId): HouseDepth {
  const known = board.houses.get(id)
  if (known) return known
  const market = marketOf(id)
  // Pinned prices stand still, and so does what is offered at them.
  const step = board.pinned.has(market.symbol) ? 0 : board.step
  const depth = houseDepth(market, quoteOf(board, id), step)
  board.houses.set(id, depth)
  return depth
}

function freshQuote(board: Board, market: Market): Quote {
  const pinned = board.pinned.get(market.symbol)
  const priced = pinned ? pinnedQuote(market, pinned) : walkedQuote(board, market)
  const quote = { ...priced, fundingRate: board.fundingRates.get(market.symbol) ?? priced.fundingRate }
  const last = board.lasts.get(market.id)
  return last === undefined ? quote : { ...quote, last }
}

function pinnedQuote(market: Market, { bid, ask, last, mark, index }: Prices): Quote {
  const onGrid = floorToTick(market, bid)
  return quoteFrom(market, onGrid > 0n ? onGrid : market.tick, ceilToTick(market, ask), {
    last: last === undefined ? undefined : floorToTick(market, last),
    mark,
    index,
  })
}

function walkedQuote(board: Board, market: Market): Quote {
  const { price } = walkOf(board, market)
  const middle = (price * factorOf(market)) / WALK_UNIT
  const half = finePrice(market, market.ask - market.bid) / 2n
  const bid = floorToTick(market, middle - half)
  return quoteFrom(market, bid > 0n ? bid : market.tick, ceilToTick(market, middle + half))
}

function coinOf({ base }: Market): string {
  return base.startsWith(THOUSAND) ? base.slice(THOUSAND.length) : base
}

function factorOf({ base }: Market): bigint {
  return base.startsWith(THOUSAND) ? 1000n : 1n
}

function walkOf(board: Board, market: Market): Walk {
  const coin = coinOf(market)
  const known = board.coins.get(coin)
  if (known) return known
  const walk = { price: centerOf(board, market), random: hashOf(`${coin} ${board.settings.seed ?? 0}`) }
  board.coins.set(coin, walk)
  return walk
}

function centerOf(board: Board, market: Market): bigint {
  const set = board.settings.centers?.[coinOf(market)]
  if (set !== undefined) return set * WALK_UNIT
  return (finePrice(market, market.bid + market.ask) * WALK_UNIT) / 2n / factorOf(market)
}

function apply(board: Board, { step, coins, pinned, lasts, fundingRates }: QuotesChange): Market[] {
  const moved = new Set<Market>()
  if (step !== undefined) board.step = step
  for (const [coin, walk] of Object.entries(coins ?? {})) board.coins.set(coin, walk)
  if (coins) for (const market of allMarkets()) if (!board.pinned.has(market.symbol)) moved.add(market)
  for (const [symbol, prices] of Object.entries(pinned ?? {})) {
    if (prices) board.pinned.set(symbol, prices)
    else board.pinned.delete(symbol)
    for (const market of allMarkets()) if (market.symbol === symbol) moved.add(market)
  }
  for (const [symbol, rate] of Object.entries(fundingRates ?? {})) {
    board.fundingRates.set(symbol, rate)
    for (const market of allMarkets()) if (market.symbol === symbol) board.quotes.delete(market.id)
  }
  // A move makes an earlier trade's price old; only a trade after it is the last one again.
  for (const { id } of moved) board.lasts.delete(id)
  for (const [id, last] of Object.entries(lasts ?? {})) {
    board.lasts.set(id as MarketId, last)
    board.quotes.delete(id as MarketId)
  }
  for (const { id } of moved) {
    board.quotes.delete(id)
    board.houses.delete(id)
  }
  return [...moved]
}

function nextStep(board: Board): QuotesChange {
  const coins: Record<string, Walk> = {}
  for (const market of allMarkets()) {
    const coin = coinOf(market)
    coins[coin] ??= nextWalk(walkOf(board, market), centerOf(board, market))
  }
  return { step: board.step + 1, coins }
}

function stateOf(board: Board): QuotesChange {
  return {
    step: board.step,
    coins: Object.fromEntries(board.coins),
    pinned: Object.fromEntries(board.pinned),
    lasts: Object.fromEntries(board.lasts),
    fundingRates: Object.fromEntries(board.fundingRates),
  }
}
