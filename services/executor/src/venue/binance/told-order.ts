import type { FillNews, OrderNews } from '../../domain/account-view.ts'
import { isTerminal, type VenueOrder } from '../../domain/order.ts'

/** What one fill of an order cost, as a private stream tells it. */
export interface ToldFill {
  id: string
  quantity: string
  fee: NonNullable<VenueOrder['fee']>
}

/** A change of an order as a private stream tells it. */
export interface ToldOrder extends Pick<OrderNews, 'locks'> {
  symbol: string
  order: VenueOrder
  fill: ToldFill | undefined
  /** What it changed of what is held, where it was an execution. */
  traded?: Omit<FillNews, 'clientOrderId' | 'filled'>
}

/** The execution that a told change of an order is; undefined where it is none. */
export function fillIn({ order, traded }: ToldOrder): FillNews | undefined {
  const { clientOrderId, filled } = order
  return traded && { ...traded, clientOrderId, filled }
}

/** How the order stands by it. */
export function standingIn({ order, locks }: ToldOrder): OrderNews {
  const { clientOrderId, filled } = order
  return { clientOrderId, filled, isOver: isTerminal(order), ...(locks && { locks }) }
}
