import type { ClientOrderId } from '@tripline/proto/id'
import type { AccountReading } from './account.ts'

export type Side = 'buy' | 'sell'

/** An order we decided on, not yet sent. */
export interface OrderPlan {
  clientOrderId: ClientOrderId
  symbol: string
  side: Side
  type: 'market'
  /** Base quantity; `0` where the quote quantity says what is spent. */
  quantity: string
  /** What a spot buy spends, in quote coin. */
  quoteQuantity?: string
  reduceOnly: boolean
  /** The basis and the arithmetic of the quantity, in words. */
  sizing: string
}

export type OrderStatus = 'open' | 'partially_filled' | 'filled' | 'canceled' | 'expired' | 'rejected'

/** An order as the venue tells of it. */
export interface VenueOrder {
  venueOrderId: string
  clientOrderId: string
  side: Side
  status: OrderStatus
  quantity: string
  filled: string
  averagePrice: string | null
  reduceOnly: boolean
}

/** True when nothing more can happen to the order. */
export function isTerminal(order: VenueOrder): boolean {
  return order.status !== 'open' && order.status !== 'partially_filled'
}

/**
 * What became of a placement. `unknown` is not a failure: the venue may hold the order, so it is looked up and never
 * repeated before it is proven absent. `withheld`: the lease was over when it was to be signed, nothing was sent.
 */
export type Placement =
  | { outcome: 'done'; order: VenueOrder }
  | { outcome: 'refused'; code: string; error: string }
  | { outcome: 'unknown'; cause: string }
  | { outcome: 'withheld' }

/** What the venue said when it was asked for an order by our id. */
export type LookUp =
  | { outcome: 'found'; order: VenueOrder }
  | { outcome: 'absent' }
  | { outcome: 'unreachable'; cause: string }

/** What came of reading the account. */
export type Reading =
  | { outcome: 'read'; account: AccountReading }
  | { outcome: 'refused'; code: string; error: string }
  | { outcome: 'unreachable'; cause: string }
