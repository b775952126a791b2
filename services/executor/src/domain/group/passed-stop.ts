import { isGreater, isZero, plain } from '@tripline/proto/decimal'
import { isProtective, type OrderPlan } from '../order/order.ts'
import type { Quote } from '../order/reference.ts'
import { revised } from '../order/revision.ts'
import { atOnce } from './alternating-pair.ts'
import type { Leg } from './legs-record.ts'

/** Greatest age in ms of a quote that an order is sent by. */
export const freshMs = 3000

/**
 * Returns the next step for a stop that was away and is placed again: `ask`: the market is to be asked first; `sell`: its price
 * has passed, so that it would have sold, and its coins are sold at once. An exchange refuses such a stop (Binance spot
 * -2010, "Stop price would trigger immediately"), or has it wait for the price to rise, as Bybit spot does, which reads the
 * direction of a trigger from where the market is. A quote that could not be had leaves it to the exchange (null).
 */
export function nextForStop(
  plan: OrderPlan,
  quote: Quote | null | undefined,
  now: number,
): 'send' | 'ask' | 'sell' {
  const { triggerPrice } = plan
  if (!isSaleStop(plan) || triggerPrice === undefined || quote === null) return 'send'
  if (quote === undefined || now - quote.askedAt > freshMs) return 'ask'
  // There is no bid: the market has passed nothing.
  if (isZero(quote.bid)) return 'send'
  return isGreater(quote.bid, triggerPrice) ? 'send' : 'sell'
}

/** True for a stop that sells. */
export function isSaleStop(plan: OrderPlan): boolean {
  return isProtective(plan) && plan.side === 'sell'
}

/** The leg with the order that a stop becomes once its price has passed. */
export function soldAtOnce(leg: Leg, { decision }: Leg): Leg {
  const revision = leg.revision + 1
  const clientOrderId = revised(leg.decision.plan.clientOrderId, revision)
  return { ...leg, decision: { ...decision, plan: { ...atOnce(decision.plan), clientOrderId } }, revision }
}

/** Returns the words for an order that the price has passed, and for how its coins are sold. */
export function passedWords({ decision: { plan } }: Leg, { decision: { plan: sale } }: Leg): string {
  const { type, side, quantity, triggerPrice, price } = plan
  const how = sale.price === undefined ? 'at the market' : `with its limit of ${plain(sale.price)}`
  const at = plain(triggerPrice ?? price ?? '0')
  return `the price passed ${type} ${side} ${plain(quantity)} at ${at}: it is sold ${how} at once`
}
