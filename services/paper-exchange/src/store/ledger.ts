import type { Account } from '../domain/account.ts'
import type { Funding } from '../domain/funding.ts'
import { type Lock, lockOf } from '../domain/lock.ts'
import type { MarketId } from '../domain/market.ts'
import { type Fill, isAlgo, isOpen, type Order, type OrderList, orderAt } from '../domain/order.ts'

// Reads that lag look back at most this far, so older states need not be stored.
const HISTORY_MS = 60_000
// One account may change thousands of times a second; so many states are more than any lag asks for.
const HISTORY_STATES = 10_000

/** One account with all it ever did: the state now, its recent states, orders and fills by what they are asked for. */
export type Entry = {
  /** The number of accounts that were opened before it; with several concerned, they take turns by it. */
  readonly turn: number
  readonly apiKey: string
  readonly secret: string
  readonly openedAt: number
  account: Account
  /** Earlier states of the last minute, oldest first. */
  readonly past: Account[]
  /** When control set it last, which no read comes too early for; 0 where it did not since it was opened. */
  setAt: number
  readonly orders: Map<number, Order>
  readonly ordersByMarket: Map<MarketId, number[]>
  readonly listsById: Map<number, OrderList>
  readonly latestByClientOrderId: Map<string, number>
  /** Every client order id the account ever used, by the venues that share one memory of them. */
  readonly everUsedClientOrderIds: Map<'binance' | 'bybit', Set<string>>
  /** Orders in the book or waiting for their trigger, oldest first. */
  readonly openOrderIds: Set<number>
  readonly openByMarket: Map<MarketId, Set<number>>
  /** Orders that ended in the last minute, in the order of their end. */
  readonly ended: { id: number; at: number }[]
  readonly fillsByMarket: Map<MarketId, Fill[]>
  /** The payments of its positions, oldest first. */
  readonly fundings: Funding[]
  /** The money that open spot orders will pay, by asset. */
  readonly locked: Map<string, bigint>
}

/** The exchange's memory. The house takes the other side where no account does. */
export type Ledger = {
  readonly entries: Map<string, Entry>
  readonly house: Entry
  lastOrderId: number
  lastFillId: number
  lastListId: number
  lastRank: number
}

/** The key of the house's entry, which no account has. */
export const HOUSE = 'house'

// Ids look like the venue's: long whole numbers that grow.
const FIRST_ID = 4_000_000_000
const NOBODY: Account = {
  balances: new Map(),
  positions: new Map(),
  settings: { leverage: new Map(), marginMode: new Map(), positionMode: new Map() },
  updatedAt: 0,
}

/** A ledger without accounts but the house's. */
export function createLedger(): Ledger {
  const house = entryFor(0, HOUSE, '', NOBODY)
  const counters = { lastOrderId: FIRST_ID, lastFillId: FIRST_ID, lastListId: FIRST_ID, lastRank: 0 }
  return { entries: new Map(), house, ...counters }
}

function entryFor(turn: number, apiKey: string, secret: string, account: Account): Entry {
  return {
    turn,
    apiKey,
    secret,
    openedAt: account.updatedAt,
    account,
    past: [],
    setAt: 0,
    orders: new Map(),
    ordersByMarket: new Map(),
    listsById: new Map(),
    latestByClientOrderId: new Map(),
    everUsedClientOrderIds: new Map([
      ['binance', new Set()],
      ['bybit', new Set()],
    ]),
    openOrderIds: new Set(),
    openByMarket: new Map(),
    ended: [],
    fillsByMarket: new Map(),
    fundings: [],
    locked: new Map(),
  }
}

/** Adds an account to the ledger. */
export function addEntry(ledger: Ledger, apiKey: string, secret: string, account: Account): Entry {
  const entry = entryFor(ledger.entries.size + 1, apiKey, secret, account)
  ledger.entries.set(apiKey, entry)
  return entry
}

/** Every account with the house's. */
export function everyEntry(ledger: Ledger): Entry[] {
  return [ledger.house, ...ledger.entries.values()]
}

/** Makes this the state of the account, and keeps the former one for reads that lag. */
export function setAccount(entry: Entry, account: Account): void {
  // Of the states within a millisecond only the last can be asked for.
  if (entry.account.updatedAt !== account.updatedAt) entry.past.push(entry.account)
  entry.account = account
  const oldest = account.updatedAt - HISTORY_MS
  while ((entry.past[1]?.updatedAt ?? account.updatedAt) < oldest || entry.past.length > HISTORY_STATES)
    entry.past.shift()
}

/** Stores an order or its newer version. */
export function putOrder(ledger: Ledger, entry: Entry, order: Order): void {
  const known = entry.orders.get(order.id)
  if (!known) indexOrder(entry, order)
  entry.orders.set(order.id, order)
  shiftLock(entry, known && lockOf(known), lockOf(order))
  const open = openIn(entry, order.market)
  if (isOpen(order)) {
    entry.openOrderIds.add(order.id)
    open.add(order.id)
  } else {
    entry.openOrderIds.delete(order.id)
    open.delete(order.id)
    rememberEnd(entry, order)
  }
  if (order.id > ledger.lastOrderId) ledger.lastOrderId = order.id
  if ((order.rank ?? 0) > ledger.lastRank) ledger.lastRank = order.rank ?? 0
}

function rememberEnd({ ended }: Entry, { id, updatedAt: at }: Order): void {
  ended.push({ id, at })
  while ((ended[0]?.at ?? at) < at - HISTORY_MS) ended.shift()
}

function openIn(entry: Entry, market: MarketId): Set<number> {
  const known = entry.openByMarket.get(market)
  if (known) return known
  const open = new Set<number>()
  entry.openByMarket.set(market, open)
  return open
}

function indexOrder(entry: Entry, order: Order): void {
  const ids = entry.ordersByMarket.get(order.market)
  if (ids) ids.push(order.id)
  else entry.ordersByMarket.set(order.market, [order.id])
  if (order.clientOrderId === '') return
  entry.latestByClientOrderId.set(clientKey(order.market, order.clientOrderId, isAlgo(order)), order.id)
  const family = order.market.startsWith('bybit') ? 'bybit' : 'binance'
  // Only Bybit remembers ids for ever.
  if (family === 'bybit') entry.everUsedClientOrderIds.get(family)?.add(order.clientOrderId)
}

function shiftLock({ locked }: Entry, before: Lock | undefined, after: Lock | undefined): void {
  if (before) locked.set(before.asset, (locked.get(before.asset) ?? 0n) - before.amount)
  if (after) locked.set(after.asset, (locked.get(after.asset) ?? 0n) + after.amount)
}

/** Stores an order list or its newer version. */
export function putList(ledger: Ledger, entry: Entry, list: OrderList): void {
  entry.listsById.set(list.id, list)
  if (list.id > ledger.lastListId) ledger.lastListId = list.id
}

/** Stores a fill. */
export function addFill(ledger: Ledger, entry: Entry, fill: Fill): void {
  const fills = entry.fillsByMarket.get(fill.market)
  if (fills) fills.push(fill)
  else entry.fillsByMarket.set(fill.market, [fill])
  if (fill.id > ledger.lastFillId) ledger.lastFillId = fill.id
  if (fill.orderId > ledger.lastOrderId) ledger.lastOrderId = fill.orderId
}

/** Stores what a position paid; it is numbered among the fills. */
export function addFunding(ledger: Ledger, entry: Entry, funding: Funding): void {
  entry.fundings.push(funding)
  if (funding.id > ledger.lastFillId) ledger.lastFillId = funding.id
}

/** The account as it was at a moment. */
export function accountAt(entry: Entry, moment: number): Account {
  if (entry.account.updatedAt <= moment) return entry.account
  return entry.past.findLast((past) => past.updatedAt <= moment) ?? entry.past[0] ?? entry.account
}

/** The open orders of an account now, untriggered ones too, oldest first; of one market or of all. */
export function openOrdersOf(entry: Entry, market?: MarketId): Order[] {
  const open: Order[] = []
  for (const id of (market === undefined ? entry.openOrderIds : entry.openByMarket.get(market)) ?? []) {
    const order = entry.orders.get(id)
    if (order) open.push(order)
  }
  return open
}

/** The orders of an account that were open at a moment of the last minute, as they were then, oldest first. */
export function openOrdersAt(entry: Entry, moment: number, market?: MarketId): Order[] {
  const now = openOrdersOf(entry, market)
  if (moment === Number.POSITIVE_INFINITY) return now
  const ids = new Set(now.map(({ id }) => id))
  for (const { id, at } of entry.ended) if (at > moment) ids.add(id)
  const then: Order[] = []
  for (const id of [...ids].sort((one, other) => one - other)) {
    const order = entry.orders.get(id)
    const was = order && orderAt(order, moment)
    if (was && isOpen(was) && (market === undefined || was.market === market)) then.push(was)
  }
  return then
}

/** The newest ordinary order that carries this client order id, or undefined. */
export function findByClientOrderId(
  entry: Entry,
  market: MarketId,
  clientOrderId: string,
): Order | undefined {
  return found(entry, clientKey(market, clientOrderId, false))
}

/** The newest algo order (conditional, Binance futures) that carries this client id, or undefined. */
export function findAlgoByClientOrderId(
  entry: Entry,
  market: MarketId,
  clientOrderId: string,
): Order | undefined {
  return found(entry, clientKey(market, clientOrderId, true))
}

function found(entry: Entry, key: string): Order | undefined {
  const id = entry.latestByClientOrderId.get(key)
  return id === undefined ? undefined : entry.orders.get(id)
}

function clientKey(market: MarketId, clientOrderId: string, algo: boolean): string {
  return `${market}${algo ? ' algo ' : ' '}${clientOrderId}`
}

/** Returns the amount of an asset that the account's open spot orders lock. */
export function lockedOf(entry: Entry, asset: string): bigint {
  return entry.locked.get(asset) ?? 0n
}
