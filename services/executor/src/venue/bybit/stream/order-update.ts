import { isGreater, isLess } from '@tripline/proto/decimal'
import type { OrderStatus, VenueOrder } from '../../../domain/order/order.ts'
import { type OrderRow, readOrder, turnedDown, withUnit } from '../orders/read-order.ts'
import type { Category } from '../rest-client.ts'

/** An order as the stream or a look-up reports it, and the venue's reason if it turned the order down. */
export interface OrderUpdate {
  order: VenueOrder
  row: OrderRow
  refusal: { code: string; error: string } | undefined
}

/** Returns the report of a category's row. */
export function readUpdate(category: Category, reported: OrderRow, feeCoin: string | undefined): OrderUpdate {
  const row = category === 'spot' ? withUnit(reported) : reported
  return { order: readOrder(row, feeCoin), row, refusal: turnedDown(row) }
}

const stages: Readonly<Record<OrderStatus, number>> = {
  untriggered: 0,
  open: 1,
  partially_filled: 2,
  filled: 3,
  canceled: 3,
  expired: 3,
  rejected: 3,
}

/** True when this reports more of an order than what is known of it: events come twice, and overtake each other. */
export function isUpdate(order: VenueOrder, known: VenueOrder | undefined): boolean {
  if (known === undefined) return true
  const [stage, knownStage] = [stages[order.status], stages[known.status]]
  if (stage < knownStage || isLess(order.filled, known.filled)) return false
  const isLater = (order.updatedAt ?? 0) > (known.updatedAt ?? 0)
  return stage > knownStage || isGreater(order.filled, known.filled) || isLater
}
