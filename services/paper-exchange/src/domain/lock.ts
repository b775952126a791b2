import { larger } from './fixed.ts'
import { baseAmount, marketOf, valueAt } from './market.ts'
import { isOpen, type Order, remaining } from './order.ts'

/** An amount of a coin that an open order will pay. */
export type Lock = Readonly<{ asset: string; amount: bigint }>

/** Returns the money that an open spot order locks, or undefined if it locks nothing. */
export function lockOf(order: Order): Lock | undefined {
  const market = marketOf(order.market)
  if (market.kind !== 'spot' || !isOpen(order)) return undefined
  if (order.status === 'untriggered' && !holds(order)) return undefined
  const amount = order.side === 'sell' ? baseAmount(market, remaining(order)) : costOf(order)
  const asset = order.side === 'sell' ? market.base : market.quote
  return { asset, amount: larger(0n, amount - (order.covered ?? 0n)) }
}

function holds({ market, holdsFunds }: Order): boolean {
  return holdsFunds ?? market.startsWith('binance')
}

function costOf(order: Order): bigint {
  if (order.quoteQuantity !== undefined) return order.quoteQuantity - order.filledValue
  return valueAt(marketOf(order.market), remaining(order), payingPrice(order))
}

// A market order that waits is counted at the price that wakes it; one that follows the price, at where it begins.
function payingPrice({ type, price, trigger }: Order): bigint {
  return type === 'limit' ? price : (trigger?.trailing?.activation ?? trigger?.price ?? 0n)
}
