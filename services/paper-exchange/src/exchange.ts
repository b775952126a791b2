import { randomBytes } from 'node:crypto'
import { openAccount } from './domain/account.ts'
import type { Refusal } from './domain/filter.ts'
import { marketOf } from './domain/market.ts'
import type { Fill, Order, OrderRequest } from './domain/order.ts'
import { type Book, type Execution, matchResting, placeOrder } from './domain/place.ts'
import type { Quote } from './domain/quote.ts'
import type { Keeper } from './store/keeper.ts'
import {
  addEntry,
  addFill,
  type Entry,
  type Ledger,
  openOrdersOf,
  putOrder,
  setAccount,
} from './store/ledger.ts'
import type { Quotes } from './store/quotes.ts'

/** What became of a request to place an order. */
export type Placed = Readonly<{ order: Order }> | Readonly<{ refusal: Refusal }>

/** The venue itself: accounts, orders and prices, the same for every wire. */
export type Exchange = Readonly<{
  ledger: Ledger
  quotes: Quotes
  open: (balances: ReadonlyMap<string, bigint>, now: number) => Entry
  place: (entry: Entry, request: OrderRequest, now: number) => Placed
  cancel: (entry: Entry, order: Order, now: number) => Order
  pin: (symbol: string, quote: Quote, now: number) => void
  unpin: (symbol: string, now: number) => void
}>

/** A venue over this ledger and these prices; `keeper` is told of every change. */
export function createExchange(ledger: Ledger, quotes: Quotes, keeper: Keeper): Exchange {
  const venue = { ledger, quotes, keeper }
  return {
    ledger,
    quotes,
    open: (balances, now) => {
      const [apiKey, secret] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
      const entry = addEntry(ledger, apiKey, secret, openAccount(balances, now))
      keeper.opened(entry)
      return entry
    },
    place: (entry, request, now) => place(venue, entry, request, now),
    cancel: (entry, order, now) => change(venue, entry, order, { status: 'canceled', updatedAt: now }),
    pin: (symbol, quote, now) => {
      quotes.pin(symbol, quote)
      matchAll(venue, symbol, now)
    },
    unpin: (symbol, now) => {
      quotes.unpin(symbol)
      matchAll(venue, symbol, now)
    },
  }
}

type Venue = { ledger: Ledger; quotes: Quotes; keeper: Keeper }

function bookOf({ quotes }: Venue, entry: Entry, symbol: string): Book {
  return {
    account: entry.account,
    openOrders: openOrdersOf(entry),
    market: marketOf(symbol),
    quoteOf: quotes.of,
  }
}

function place(venue: Venue, entry: Entry, request: OrderRequest, now: number): Placed {
  const placement = placeOrder(bookOf(venue, entry, request.symbol), request, now)
  if (placement.outcome === 'refused') return { refusal: placement.reason }
  const id = venue.ledger.lastOrderId + 1
  const { quantity } = placement
  const status = placement.outcome === 'expired' ? 'expired' : 'open'
  const arrived: Order = {
    ...request,
    id,
    quantity,
    status,
    filled: 0n,
    filledValue: 0n,
    createdAt: now,
    updatedAt: now,
  }
  if (placement.outcome === 'filled') return { order: fill(venue, entry, arrived, placement.execution, now) }
  putOrder(venue.ledger, entry, arrived)
  venue.keeper.changed(entry, arrived)
  return { order: arrived }
}

function fill(venue: Venue, entry: Entry, order: Order, execution: Execution, now: number): Order {
  const { ledger, keeper } = venue
  const made = fillOf(ledger.lastFillId + 1, order, execution, now)
  const known = entry.orders.get(order.id)
  const filled: Order = {
    ...order,
    quantity: made.quantity,
    status: 'filled',
    filled: made.quantity,
    filledValue: made.value,
    updatedAt: now,
    ...(known && { before: known }),
  }
  setAccount(entry, execution.account)
  putOrder(ledger, entry, filled)
  addFill(ledger, entry, made)
  keeper.changed(entry, filled, made)
  return filled
}

function fillOf(
  id: number,
  order: Order,
  { price, quantity, value, fee, realized, maker }: Execution,
  now: number,
): Fill {
  const { symbol, side } = order
  return { id, orderId: order.id, symbol, side, price, quantity, value, fee, realized, maker, at: now }
}

function change(venue: Venue, entry: Entry, order: Order, to: Pick<Order, 'status' | 'updatedAt'>): Order {
  const changed: Order = { ...order, ...to, before: order }
  putOrder(venue.ledger, entry, changed)
  venue.keeper.changed(entry, changed)
  return changed
}

function matchAll(venue: Venue, symbol: string, now: number): void {
  for (const entry of venue.ledger.entries.values()) {
    if (entry.openOrderIds.size === 0) continue
    for (const order of openOrdersOf(entry)) if (order.symbol === symbol) matchOne(venue, entry, order, now)
  }
}

function matchOne(venue: Venue, entry: Entry, order: Order, now: number): void {
  const execution = matchResting(bookOf(venue, entry, order.symbol), order, now)
  if (execution === 'expired') change(venue, entry, order, { status: 'expired', updatedAt: now })
  else if (execution) fill(venue, entry, order, execution, now)
}
