import type { Account } from '../domain/account.ts'
import type { Funding } from '../domain/funding.ts'
import type { Market } from '../domain/market.ts'
import type { Fill, Order, OrderList } from '../domain/order.ts'
import type { Entry } from './ledger.ts'
import type { QuotesChange } from './quotes.ts'

/** What one call changed of one account; `before` is its state before the call. */
export type EntryChange = {
  readonly entry: Entry
  readonly before: Account
  isNew?: boolean
  readonly orders: Map<number, Order>
  readonly lists: Map<number, OrderList>
  readonly fills: Fill[]
  readonly fundings: Funding[]
}

/** All that one call changed. */
export type Change = Readonly<{
  entries: ReadonlyMap<Entry, EntryChange>
  quotes?: QuotesChange | undefined
  market?: Market | undefined
}>

/** Hears of every change before anybody is answered, so that it can be kept: the whole of it or nothing. */
export type Keeper = Readonly<{ changed: (change: Change) => void }>
