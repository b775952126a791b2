import type { MarketId } from '../../domain/market.ts'
import { isAlgo, type Order } from '../../domain/order.ts'
import { type Entry, openOrdersAt } from '../../store/ledger.ts'

/** Whether the order stands on this venue. */
export function isHere({ market }: Pick<Order, 'market'>): boolean {
  return market.startsWith('binance-futures:')
}

/** The ordinary orders of the account that were open at a moment, oldest first; of one market or of all. */
export function ordersOpenAt(entry: Entry, asOf: number, market?: MarketId): Order[] {
  return openOrdersAt(entry, asOf, market).filter((order) => isHere(order) && !isAlgo(order))
}

/** The conditional orders of the account that waited at a moment, oldest first; of one market or of all. */
export function algosOpenAt(entry: Entry, asOf: number, market?: MarketId): Order[] {
  return openOrdersAt(entry, asOf, market).filter(isAlgo)
}
