import { isZero } from '@tripline/proto/decimal'
import { isTerminal, type VenueOrder } from '../../../domain/order/order.ts'
import type { Following } from '../stream/following.ts'
import type { FuturesOrders } from './futures-orders.ts'

// Executions are reported by some ms after the order that met them is answered.
const updateWithinMs = 300

/** Completes an order that an answer shows without the mean price of what is filled. */
export type CompleteOrder = (symbol: string, order: VenueOrder) => Promise<VenueOrder>

/**
 * The mean price of what is filled, which POST and DELETE do not report: as the private stream reports it, or else as the
 * order is asked for, once. Nothing is waited for where there is none, or it is known.
 */
export function createCompleting(
  { awaitFilled }: Pick<Following, 'awaitFilled'>,
  { mean }: Pick<FuturesOrders, 'mean'>,
): CompleteOrder {
  return async (symbol, order) => {
    if (isZero(order.filled) || order.averagePrice !== null) return order
    const update = await awaitFilled(symbol, order, updateWithinMs)
    if (update !== undefined) {
      const { filled, averagePrice, fee } = update
      // The stream's last report may be behind the end that the answer shows.
      const status = isTerminal(order) ? order.status : update.status
      return { ...order, status, filled, averagePrice, fee }
    }
    const { venueOrderId, clientOrderId } = order
    try {
      return {
        ...order,
        averagePrice: await mean({ symbol, venueOrderId, clientOrderId, isConditional: false }, order.filled),
      }
    } catch {
      // The order is what was asked for; without its price it is still the answer.
      return order
    }
  }
}
