import { divide, isLess, isZero, multiply, plain } from '@tripline/proto/decimal'
import { isTerminal, type OrderPlan, type VenueOrder } from './order.ts'

type PartFilled = { code: 'W705' | 'W708'; text: string }

/**
 * Returns the warning that the exchange filled a part of an order and ended the rest (W708), or cut it to what it could
 * reduce (W705); undefined where it did neither, or filled nothing. An order to spend an amount is filled where less
 * than a hundredth is left: an amount that does not buy a step any more is never spent.
 */
export function filledInPart(order: VenueOrder, plan: OrderPlan | undefined): PartFilled | undefined {
  const { filled, quantity, status, averagePrice } = order
  if (status === 'filled') return cutToHeld(order, plan)
  if (!isTerminal(order) || isZero(filled)) return undefined
  const toSpend = plan?.quoteQuantity
  if (toSpend === undefined) {
    const asked = plan?.quantity ?? quantity
    if (!isLess(filled, asked)) return undefined
    return warning(`${plain(filled)} of ${plain(asked)}`, status)
  }
  const spent = multiply(filled, averagePrice ?? '0')
  if (averagePrice === null || !isLess(divide(spent, toSpend), '0.99')) return undefined
  return warning(`${plain(spent)} of ${plain(toSpend)} to spend`, status)
}

/** An order with the size of what it could reduce is filled for its exchange, with less than was sent. */
function cutToHeld({ filled }: VenueOrder, plan: OrderPlan | undefined): PartFilled | undefined {
  if (plan?.reduceOnly !== true || !isLess(filled, plan.quantity)) return undefined
  const part = `${plain(filled)} of ${plain(plan.quantity)}`
  return { code: 'W705', text: `${part} was filled: it closed what was held` }
}

function warning(part: string, status: VenueOrder['status']): PartFilled {
  return { code: 'W708', text: `${part} was filled, and the exchange ended the rest as ${status}` }
}
