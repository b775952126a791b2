import type { Account } from '../domain/account.ts'
import type { Fill, Order } from '../domain/order.ts'

// Reads that lag look back at most this far, so older states need not be kept.
const HISTORY_MS = 60_000

/** One account with all it ever did: the state now, its recent states, orders and fills by what they are asked for. */
export type Entry = {
  readonly apiKey: string
  readonly secret: string
  readonly openedAt: number
  account: Account
  /** Earlier states of the last minute, oldest first. */
  readonly past: Account[]
  readonly orders: Map<number, Order>
  readonly orderIdsBySymbol: Map<string, number[]>
  readonly latestByClientOrderId: Map<string, number>
  readonly openOrderIds: Set<number>
  readonly fillsBySymbol: Map<string, Fill[]>
}

/** What the exchange keeps in memory. */
export type Ledger = { readonly entries: Map<string, Entry>; lastOrderId: number; lastFillId: number }

// Ids look like the venue's: long whole numbers that grow.
const FIRST_ID = 4_000_000_000

/** A ledger without accounts. */
export function createLedger(): Ledger {
  return { entries: new Map(), lastOrderId: FIRST_ID, lastFillId: FIRST_ID }
}

/** Adds an account to the ledger. */
export function addEntry(ledger: Ledger, apiKey: string, secret: string, account: Account): Entry {
  const entry: Entry = {
    apiKey,
    secret,
    openedAt: account.updatedAt,
    account,
    past: [],
    orders: new Map(),
    orderIdsBySymbol: new Map(),
    latestByClientOrderId: new Map(),
    openOrderIds: new Set(),
    fillsBySymbol: new Map(),
  }
  ledger.entries.set(apiKey, entry)
  return entry
}

/** Makes this the state of the account, and keeps the former one for reads that lag. */
export function setAccount(entry: Entry, account: Account): void {
  entry.past.push(entry.account)
  entry.account = account
  while ((entry.past[1]?.updatedAt ?? account.updatedAt) < account.updatedAt - HISTORY_MS) entry.past.shift()
}

/** Stores an order or its newer version. */
export function putOrder(ledger: Ledger, entry: Entry, order: Order): void {
  if (!entry.orders.has(order.id)) {
    const ids = entry.orderIdsBySymbol.get(order.symbol)
    if (ids) ids.push(order.id)
    else entry.orderIdsBySymbol.set(order.symbol, [order.id])
    entry.latestByClientOrderId.set(clientKey(order.symbol, order.clientOrderId), order.id)
  }
  entry.orders.set(order.id, order)
  if (order.status === 'open') entry.openOrderIds.add(order.id)
  else entry.openOrderIds.delete(order.id)
  if (order.id > ledger.lastOrderId) ledger.lastOrderId = order.id
}

/** Stores a fill. */
export function addFill(ledger: Ledger, entry: Entry, fill: Fill): void {
  const fills = entry.fillsBySymbol.get(fill.symbol)
  if (fills) fills.push(fill)
  else entry.fillsBySymbol.set(fill.symbol, [fill])
  if (fill.id > ledger.lastFillId) ledger.lastFillId = fill.id
  if (fill.orderId > ledger.lastOrderId) ledger.lastOrderId = fill.orderId
}

/** The account as it was at a moment. */
export function accountAt(entry: Entry, moment: number): Account {
  if (entry.account.updatedAt <= moment) return entry.account
  return entry.past.findLast((past) => past.updatedAt <= moment) ?? entry.past[0] ?? entry.account
}

/** The open orders of an account now, oldest first. */
export function openOrdersOf(entry: Entry): Order[] {
  const open: Order[] = []
  for (const id of entry.openOrderIds) {
    const order = entry.orders.get(id)
    if (order) open.push(order)
  }
  return open
}

/** The newest order that carries this client order id, or undefined. */
export function findByClientOrderId(entry: Entry, symbol: string, clientOrderId: string): Order | undefined {
  const id = entry.latestByClientOrderId.get(clientKey(symbol, clientOrderId))
  return id === undefined ? undefined : entry.orders.get(id)
}

function clientKey(symbol: string, clientOrderId: string): string {
  return `${symbol} ${clientOrderId}`
}
