import type { OrderNotes } from '../account-view/order-notes.ts'
import type { Category } from './desk.ts'

/** The notes of an account as its orders in one category are told of. */
export function notesIn(category: Category, { onSending, onAnswer, onRefusal }: OrderNotes): OrderNotes {
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
