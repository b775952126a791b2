import type { MarketId } from '../../domain/market.ts'
import { isAlgo, isOpen, type Order, orderAt } from '../../domain/order.ts'
import { type Entry, openOrdersOf } from '../../store/ledger.ts'

/** Every order of the account that was open at a moment, whatever the venue, oldest first; of one market or of all. */
export function openAt(entry: Entry, asOf: number, market?: MarketId): Order[] {
  if (asOf === Number.POSITIVE_INFINITY) return openOrdersOf(entry, market)
  const open: Order[] = []
  for (const order of entry.orders.values()) {
    const then = market === undefined || order.market === market ? orderAt(order, asOf) : undefined
    if (then && isOpen(then)) open.push(then)
  }
  return open
}

/** Whether the order stands on this venue. */
export function isHere({ market }: Pick<Order, 'market'>): boolean {
  return market.startsWith('binance-futures:')
}

/** The ordinary orders of the account that were open at a moment, oldest first; of one market or of all. */
export function ordersOpenAt(entry: Entry, asOf: number, market?: MarketId): Order[] {
  return openAt(entry, asOf, market).filter((order) => isHere(order) && !isAlgo(order))
}

/** The conditional orders of the account that waited at a moment, oldest first; of one market or of all. */
export function algosOpenAt(entry: Entry, asOf: number, market?: MarketId): Order[] {
  return openAt(entry, asOf, market).filter(isAlgo)
}
