import type { Decision } from '../order/attempt.ts'
import { isProtective, type OrderPlan } from '../order/order.ts'
import type { Leg, LegsRecord } from './legs-record.ts'

/** The two legs of a pair of which the venue has one at a time. */
export function pairIn({ legs }: LegsRecord): { stop: Leg; profit: Leg } {
  const stop = legs.find(({ decision }) => isProtective(decision.plan))
  const profit = legs.find(({ decision }) => !isProtective(decision.plan))
  if (stop === undefined || profit === undefined) throw new Error('not a stop and another order')
  return { stop, profit }
}

/** Returns a record's orders that may have been sent, and those that give way. */
export function sentOf(record: LegsRecord): Decision[] {
  const { turn, legs } = record
  if (turn !== undefined) return [inTurn(record).decision]
  return legs.flatMap(({ decision, replaces }) =>
    replaces === undefined ? [decision] : [replaces, decision],
  )
}

/** The leg whose turn it is, with its order as it is sent. */
export function inTurn(record: LegsRecord): Leg {
  const { stop, profit } = pairIn(record)
  if (record.turn === 'alone') return profit
  if (record.turn !== 'profit') return stop
  return { ...profit, decision: { ...profit.decision, plan: immediate(profit.decision.plan) } }
}

/** The order that is not at the exchange and is sent once its price is reached; undefined where there is none. */
export function heldIn(record: LegsRecord): Decision | undefined {
  if (record.turn === undefined || record.turn === 'alone' || record.isLone === true) return undefined
  const { profit } = pairIn(record)
  return profit.isOver === true ? undefined : profit.decision
}

/** The order as it is sent once its price is reached: the part that it cannot trade at once is left to the stop. */
function immediate(plan: OrderPlan): OrderPlan {
  const order = atOnce(plan)
  if (order.type === 'market') return order
  return { ...order, timeInForce: plan.timeInForce === 'fok' ? 'fok' : 'ioc' }
}

/** The order without its trigger, which the market has reached. */
export function atOnce(plan: OrderPlan): OrderPlan {
  const { triggerPrice: _reached, trigger: _by, ...order } = plan
  return { ...order, type: order.price === undefined ? 'market' : 'limit' }
}
