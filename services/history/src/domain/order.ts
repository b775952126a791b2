import { executionOfOrder } from '@tripline/proto/client-order-id'
import { OrderOutcome } from '@tripline/proto/command-result'
import type { ExecutionEvent } from '@tripline/proto/event'
import type { UserId } from '@tripline/proto/id'

/** The figures of an order of ours at one moment. */
export interface OrderChange {
  clientOrderId: string
  /** The execution that placed it, which need not be the event's own: a cancel reports others' orders. */
  executionId: string
  userId: UserId
  venueOrderId: string
  filled: string
  averagePrice: string | null
  fee: string | null
  feeCoin: string | null
}

/** Returns the orders of ours in an event. */
export function ordersOf(event: ExecutionEvent): OrderChange[] {
  switch (event.kind) {
    case 'order.acknowledged':
    case 'order.canceled':
      return orderChange(event.userId, { ...event, fee: null })
    case 'order.filled':
      return orderChange(event.userId, event)
    case 'command.finished':
    case 'command.amended':
      return outcomesIn(event.outcome.result).flatMap((order) =>
        orderChange(event.userId, {
          clientOrderId: order.client_order_id,
          venueOrderId: order.id,
          filled: order.filled,
          // The price of one that nothing was filled of is what it waits for.
          averagePrice: order.average_price ?? order.price,
          fee: order.fee ?? null,
        }),
      )
    default:
      return []
  }
}

interface OrderFigures
  extends Pick<OrderChange, 'clientOrderId' | 'venueOrderId' | 'filled' | 'averagePrice'> {
  fee: { amount: string; coin: string } | null
}

function orderChange(userId: UserId, { fee, ...figures }: OrderFigures): OrderChange[] {
  const { clientOrderId, venueOrderId, filled, averagePrice } = figures
  const executionId = executionOfOrder(clientOrderId)
  if (executionId === undefined) return []
  const order = { clientOrderId, venueOrderId, filled, averagePrice }
  return [{ ...order, executionId, userId, fee: fee?.amount ?? null, feeCoin: fee?.coin ?? null }]
}

/** The orders in a result: itself, or those that it lists. */
function outcomesIn(result: object | null): OrderOutcome[] {
  if (result === null) return []
  return [result, ...Object.values(result).flat()].flatMap((part) => OrderOutcome.safeParse(part).data ?? [])
}
