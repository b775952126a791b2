import type { Account } from '../domain/account.ts'
import type { Funding } from '../domain/funding.ts'
import type { Market } from '../domain/market.ts'
import type { Fill, Order, OrderList } from '../domain/order.ts'
import type { Entry } from './ledger.ts'
import type { QuotesChange } from './quotes.ts'

/** The changes of one call to one account; `before` is its state before the call. */
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

/** Keeps every change: the whole of it or nothing. */
export type StateWriter = Readonly<{
  /** Throws where a change could not be stored now: asked before each, so that nothing of it is done then. */
  ready: (now: number) => void
  /** Receives a change before anybody is answered. It is done by then, so this never throws. */
  changed: (change: Change) => void
}>
