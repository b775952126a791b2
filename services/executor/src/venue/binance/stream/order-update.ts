import type { FillUpdate, OrderState } from '../../../domain/account/view.ts'
import { isTerminal, type OrderRef, type VenueOrder } from '../../../domain/order/order.ts'
import { isNamed } from '../answers.ts'

/** The fee of one fill of an order, as a private stream reports it. */
export interface FillFee {
  id: string
  quantity: string
  fee: NonNullable<VenueOrder['fee']>
}

/** A change of an order as a private stream reports it. */
export interface OrderUpdate extends Pick<OrderState, 'locks'> {
  symbol: string
  order: VenueOrder
  /** The id of the ordinary order that it is a change of, where a conditional one became that. */
  childId?: string
  fill: FillFee | undefined
  /** The change of holdings, if it was an execution. */
  traded?: Omit<FillUpdate, 'clientOrderId' | 'filled'>
}

/** The execution that a reported change of an order is; undefined where it is none. */
export function fillIn({ order, traded }: OrderUpdate): FillUpdate | undefined {
  const { clientOrderId, filled } = order
  return traded && { ...traded, clientOrderId, filled }
}

/**
 * True where it reports the very order: the venue numbers the orders of each symbol apart, and ordinary and conditional
 * ones as well. A name alone counts only where no id is known, since it may be taken again once its order has ended.
 */
export function isOf({ symbol, order, childId }: OrderUpdate, ref: OrderRef): boolean {
  if (symbol !== ref.symbol) return false
  const isOfKind = order.isConditional === ref.isConditional
  if (!isNamed(ref.venueOrderId))
    return isOfKind && ref.clientOrderId !== '' && order.clientOrderId === ref.clientOrderId
  return isOfKind ? order.venueOrderId === ref.venueOrderId : childId === ref.venueOrderId
}

/** An order list that the venue has taken, as its private stream reports it. */
export interface OrderListUpdate {
  symbol: string
  orders: readonly Pick<VenueOrder, 'venueOrderId' | 'clientOrderId'>[]
}

/** Returns the order's state by it. */
export function standingIn({ order, locks }: OrderUpdate): OrderState {
  const { clientOrderId, filled } = order
  return { clientOrderId, filled, isOver: isTerminal(order), ...(locks && { locks }) }
}
