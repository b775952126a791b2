import { divide, isLess, multiply, plain } from '@tripline/proto/decimal'
import { isTerminal, type OrderPlan, type VenueOrder } from './order.ts'

type PartFilled = { code: 'W708'; text: string }

/**
 * Returns the warning that the exchange filled a part of an order and ended the rest; undefined where it did not. An order to
 * spend an amount is filled where less than a hundredth is left: what does not buy a step any more is never spent.
 */
export function filledInPart(order: VenueOrder, plan: OrderPlan | undefined): PartFilled | undefined {
  const { filled, quantity, status, averagePrice } = order
  if (!isTerminal(order) || status === 'filled') return undefined
  const toSpend = plan?.quoteQuantity
  if (toSpend === undefined) {
    if (!isLess(filled, quantity)) return undefined
    return warning(`${plain(filled)} of ${plain(quantity)}`, status)
  }
  const spent = multiply(filled, averagePrice ?? '0')
  if (averagePrice === null || !isLess(divide(spent, toSpend), '0.99')) return undefined
  return warning(`${plain(spent)} of ${plain(toSpend)} to spend`, status)
}

function warning(part: string, status: VenueOrder['status']): PartFilled {
  return { code: 'W708', text: `${part} was filled, and the exchange ended the rest as ${status}` }
}
