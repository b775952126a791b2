import type { Account } from '../domain/account.ts'
import type { Funding } from '../domain/funding.ts'
import type { Market, MarketId } from '../domain/market.ts'
import { marketOf } from '../domain/market.ts'
import type { EndReason, Fill, Order, OrderList, OrderRequest, PositionSide } from '../domain/order.ts'
import {
  addFill,
  addFunding,
  type Entry,
  type Ledger,
  lockedOf,
  putList,
  putOrder,
  setAccount,
} from '../store/ledger.ts'
import type { QuoteBoard, QuotesChange } from '../store/quotes.ts'
import type { EntryChange, StateWriter } from '../store/state-writer.ts'
import type { AccountReason, VenueEvent } from './event.ts'
import { type MarketOrdersById, ordersOfMarket, shelve } from './market-orders.ts'

/** The parts of the venue. */
export type Floor = Readonly<{
  ledger: Ledger
  board: QuoteBoard
  writer: StateWriter
  markets: MarketOrdersById
  /** The holders of positions in a market, so that a move need not ask everybody. */
  holders: Map<MarketId, Set<Entry>>
  listeners: Set<(event: VenueEvent) => void>
  /** Until when funding was paid. */
  funded: { at: number }
  meddling?: Meddling | undefined
}>

/** Faults in the venue itself, for tests: asked where they could strike. */
export type Meddling = Readonly<{
  /** Whether an order whose trigger was reached hangs, or is rejected. */
  atTrigger: (entry: Entry, order: Order) => 'stuck' | 'reject' | undefined
  /**
   * Returns the share that an order gets of what it could take, in parts of 1,000,000, and whether the rest of it is
   * rejected.
   */
  takes: (entry: Entry, order: Order) => { ratio: bigint; isRestRejected: boolean } | undefined
}>

type Touched = { reason: AccountReason; assets: Set<string>; markets: Set<MarketId> }

/** One call's way through the venue: everything it changes is stored together and emitted at its end. */
export type Run = {
  readonly floor: Floor
  readonly now: number
  readonly changes: Map<Entry, EntryChange>
  readonly touched: Map<Entry, Touched>
  readonly events: VenueEvent[]
  quotes: QuotesChange | undefined
  market: Market | undefined
  /** The positions to be looked after before the call ends. */
  readonly gone: { entry: Entry; market: MarketId; side: PositionSide }[]
  readonly attached: { entry: Entry; order: Order; quantity: bigint }[]
  readonly poorer: { entry: Entry; asset: string }[]
  readonly lastMoved: Set<Market>
  /** Orders that hang at their trigger. */
  readonly stuck: Set<number>
}

/** Does the work as one change, if it can be stored: `tidy` follows up on it, then it is stored, then it is emitted. */
export function perform<T>(floor: Floor, now: number, work: (run: Run) => T, tidy: (run: Run) => void): T {
  floor.writer.ready(now)
  const run: Run = {
    floor,
    now,
    changes: new Map(),
    touched: new Map(),
    events: [],
    quotes: undefined,
    market: undefined,
    gone: [],
    attached: [],
    poorer: [],
    lastMoved: new Set(),
    stuck: new Set(),
  }
  const result = work(run)
  tidy(run)
  const { changes: entries, quotes, market } = run
  if (entries.size > 0 || quotes || market) floor.writer.changed({ entries, quotes, market })
  emitEvents(run)
  return result
}

function emitEvents({ floor, events, touched, now }: Run): void {
  if (floor.listeners.size === 0) return
  for (const [entry, { reason, assets, markets }] of touched) {
    if (entry === floor.ledger.house) continue
    events.push({ kind: 'account', entry, reason, assets: [...assets], markets: [...markets], at: now })
  }
  for (const event of events) for (const listener of floor.listeners) listener(event)
}

function changeOf(run: Run, entry: Entry): EntryChange {
  const known = run.changes.get(entry)
  if (known) return known
  const change: EntryChange = {
    entry,
    before: entry.account,
    orders: new Map(),
    lists: new Map(),
    fills: [],
    fundings: [],
  }
  run.changes.set(entry, change)
  return change
}

/** Marks an account as new: what it has was not there before. */
export function markNew(run: Run, entry: Entry): void {
  changeOf(run, entry).isNew = true
}

/** Remembers why an account has an event; being liquidated outweighs the rest, else the first reason stays. */
export function touch(
  run: Run,
  entry: Entry,
  reason: AccountReason,
  asset?: string,
  market?: MarketId,
): void {
  const known = run.touched.get(entry)
  const touched = known ?? { reason, assets: new Set<string>(), markets: new Set<MarketId>() }
  if (!known) run.touched.set(entry, touched)
  if (reason === 'liquidation') touched.reason = reason
  if (asset) touched.assets.add(asset)
  if (market) touched.markets.add(market)
}

/** Makes this the state of the account. */
export function putAccount(run: Run, entry: Entry, account: Account): void {
  changeOf(run, entry)
  // Nobody reads what the house was.
  if (entry === run.floor.ledger.house) entry.account = account
  else setAccount(entry, account)
}

/** Adds somebody to a market's holders, or takes them out. */
export function setHolder({ holders }: Floor, entry: Entry, market: MarketId, holds: boolean): void {
  const known = holders.get(market)
  if (holds) {
    if (known) known.add(entry)
    else holders.set(market, new Set([entry]))
  } else known?.delete(entry)
}

/** Stores an order's newer version without a word. */
export function keepOrder(run: Run, entry: Entry, order: Order): Order {
  const before = entry.orders.get(order.id)
  const asset = lockAsset(order)
  const locked = asset ? lockedOf(entry, asset) : 0n
  putOrder(run.floor.ledger, entry, order)
  shelve(ordersOfMarket(run.floor.markets, order.market), entry, before, order)
  changeOf(run, entry).orders.set(order.id, order)
  if (asset && lockedOf(entry, asset) !== locked) touch(run, entry, 'order', asset, order.market)
  return order
}

// The coin a spot order may lock.
function lockAsset({ market, side }: Order): string | undefined {
  const { kind, base, quote } = marketOf(market)
  if (kind !== 'spot') return undefined
  return side === 'sell' ? base : quote
}

/** Stores an order's newer version and emits it. */
export function putVersion(run: Run, entry: Entry, order: Order, fill?: Fill): Order {
  keepOrder(run, entry, order)
  run.events.push({ kind: 'order', entry, order, at: run.now, ...(fill && { fill }) })
  return order
}

// Reads that lag look back a minute; what came before that version needs no memory.
const HISTORY_MS = 60_000

/** The next version of an order. */
export function nextVersion(run: Run, order: Order, change: Partial<Order>): Order {
  const { before, ...now } = order
  const past = before && order.updatedAt > run.now - HISTORY_MS ? order : now
  return { ...now, ...change, updatedAt: run.now, before: past }
}

/** A new order under the next id. */
export function newOrder(run: Run, request: OrderRequest, more: Partial<Order> = {}): Order {
  const id = run.floor.ledger.lastOrderId + 1
  const begun = {
    status: 'open',
    filled: 0n,
    filledValue: 0n,
    createdAt: run.now,
    updatedAt: run.now,
  } as const
  run.floor.ledger.lastOrderId = id
  return { ...request, id, ...begun, ...more }
}

/** Stores a fill. */
export function putFill(run: Run, entry: Entry, fill: Fill): void {
  addFill(run.floor.ledger, entry, fill)
  changeOf(run, entry).fills.push(fill)
}

/** Stores a position's payment and emits it. */
export function putFunding(run: Run, entry: Entry, paid: Omit<Funding, 'id' | 'at'>): void {
  const funding = { ...paid, id: run.floor.ledger.lastFillId + 1, at: run.now }
  addFunding(run.floor.ledger, entry, funding)
  changeOf(run, entry).fundings.push(funding)
  run.events.push({ kind: 'funding', entry, funding, at: run.now })
}

/** Stores a list's newer version and emits it. */
export function putListVersion(run: Run, entry: Entry, list: OrderList): void {
  putList(run.floor.ledger, entry, list)
  changeOf(run, entry).lists.set(list.id, list)
  run.events.push({ kind: 'list', entry, list, at: run.now })
}

/** Takes over new prices and emits them. */
export function putQuotes(run: Run, change: QuotesChange): Market[] {
  const moved = run.floor.board.apply(change)
  run.quotes = joined(run.quotes, change)
  for (const market of moved) emitQuote(run, market)
  return moved
}

function joined(known: QuotesChange | undefined, change: QuotesChange): QuotesChange {
  if (!known) return change
  return { ...known, ...change, ...(change.lasts && { lasts: { ...known.lasts, ...change.lasts } }) }
}

/** Makes the price of a trade the market's last one. */
export function putLast(run: Run, market: Market, last: bigint): void {
  if (run.floor.board.of(market.id).last === last) return
  putQuotes(run, { lasts: { [market.id]: last } })
  emitQuote(run, market)
  run.lastMoved.add(market)
}

function emitQuote(run: Run, market: Market): void {
  run.events.push({ kind: 'quote', market, quote: run.floor.board.of(market.id), at: run.now })
}

/**
 * Returns the last status of an order that is not filled: Binance says expired where the venue ends it, Bybit canceled.
 */
export function endStatus(order: Order, reason: EndReason): Order['status'] {
  if (reason === 'user' || reason === 'reset' || reason === 'liquidation') return 'canceled'
  return order.market.startsWith('bybit') ? 'canceled' : 'expired'
}
