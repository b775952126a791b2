import type { OrderListener } from '../../account/order-updates.ts'
import type { Category } from '../rest-client.ts'

// Both categories have markets of the same name; a trade on spot changes nothing but the wallet that both share.
const spotSuffix = ' on spot'

/** The listener of an account for its orders in one category. */
export function listenerIn(
  category: Category,
  { onSending, onAnswer, onRefusal }: OrderListener,
): OrderListener {
  const nameOf = (symbol: string): string => (category === 'linear' ? symbol : `${symbol}${spotSuffix}`)
  return {
    onSending: (order) => onSending({ ...order, symbol: nameOf(order.symbol) }),
    onAnswer: (symbol, order) => {
      // One that was taken, and is not shown yet, may be filled by now.
      if (order.updatedAt !== null) onAnswer(nameOf(symbol), order)
    },
    onRefusal,
  }
}

/** The symbol of a spot market by the name that listeners receive; undefined for a linear one. */
export function spotSymbolOf(name: string): string | undefined {
  return name.endsWith(spotSuffix) ? name.slice(0, -spotSuffix.length) : undefined
}
