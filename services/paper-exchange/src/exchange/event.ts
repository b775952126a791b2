import type { Funding } from '../domain/funding.ts'
import type { Market, MarketId } from '../domain/market.ts'
import type { Fill, Order, OrderList, Side } from '../domain/order.ts'
import type { Quote } from '../domain/quote.ts'
import type { Entry } from '../store/ledger.ts'

/** Why an account changed. */
export type AccountReason =
  | 'order'
  | 'open'
  | 'reset'
  | 'leverage'
  | 'marginMode'
  | 'margin'
  | 'liquidation'
  | 'funding'

/** Events of the venue, in the order in which they happen. */
export type VenueEvent =
  /** A change of an order; the fill is the execution that made it. */
  | Readonly<{ kind: 'order'; entry: Entry; order: Order; fill?: Fill; at: number }>
  | Readonly<{ kind: 'list'; entry: Entry; list: OrderList; at: number }>
  | Readonly<{
      kind: 'account'
      entry: Entry
      reason: AccountReason
      assets: readonly string[]
      markets: readonly MarketId[]
      at: number
    }>
  /** The payment of a position; the account's own event follows. */
  | Readonly<{ kind: 'funding'; entry: Entry; funding: Funding; at: number }>
  | Readonly<{ kind: 'quote'; market: Market; quote: Quote; at: number }>
  | Readonly<{
      kind: 'trade'
      market: Market
      price: bigint
      quantity: bigint
      takerSide: Side
      id: number
      at: number
    }>
