import type { OrderListener } from '../account-view/order-updates.ts'
import type { Category } from './rest-client.ts'

/** The listener of an account for its orders in one category. */
export function listenerIn(
  category: Category,
  { onSending, onAnswer, onRefusal }: OrderListener,
): OrderListener {
  // Both categories have markets of the same name; what spot trades changes nothing but the wallet that both share.
  const nameOf = (symbol: string): string => (category === 'linear' ? symbol : `${symbol} on ${category}`)
  return {
    onSending: (order) => onSending({ ...order, symbol: nameOf(order.symbol) }),
    onAnswer: (symbol, order) => {
      // One that was taken, and is not shown yet, may be filled by now.
      if (order.updatedAt !== null) onAnswer(nameOf(symbol), order)
    },
    onRefusal,
  }
}
