import type { OrderPlan, VenueOrder } from '../../domain/order/order.ts'
import { createShownAfter, type ShownAfter } from './shown-after.ts'

/** Receives the updates of the orders that we send for an account. */
export interface OrderListener {
  onSending: (order: OrderPlan) => void
  onAnswer: (symbol: string, order: VenueOrder) => void
  onRefusal: (clientOrderId: string) => void
}

/** Passes the updates of an account's orders on to all clients of that account. */
export interface OrderUpdates extends ShownAfter {
  publisher: OrderListener
  /** Receives all that is noted, until that is stopped. */
  listen: (listener: OrderListener) => () => void
  stop: () => void
}

/** There are no listeners yet. */
export function createOrderUpdates(): OrderUpdates {
  const listeners = new Set<OrderListener>()
  const publish = (act: (listener: OrderListener) => void): void => {
    for (const listener of listeners) act(listener)
  }
  return {
    publisher: {
      onSending: (order) => publish(({ onSending }) => onSending(order)),
      onAnswer: (symbol, order) => publish(({ onAnswer }) => onAnswer(symbol, order)),
      onRefusal: (clientOrderId) => publish(({ onRefusal }) => onRefusal(clientOrderId)),
    },
    listen: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    stop: () => listeners.clear(),
    ...createShownAfter(),
  }
}
