import type { AccountReading } from '../account/account.ts'
import { isAgainst } from '../account/position.ts'
import type { LegsRecord } from '../group/legs-record.ts'
import { isOpenOrder } from '../order/attempt.ts'
import { isProtective, type OrderPlan } from '../order/order.ts'
import { decisionOf } from './doubt-record.ts'
import { isSingle } from './single-order.ts'
import type { Execution } from './state.ts'

function isStopOf(plan: OrderPlan | undefined, reading: AccountReading): boolean {
  return plan !== undefined && isProtective(plan) && isAgainst(plan, reading)
}

/** Returns the record of the one order that a command leaves open, to report its end; undefined where there is none. */
export function loneRecord({ commands, outcomes, current }: Execution): LegsRecord | undefined {
  const command = commands[outcomes.length]
  const { orders = [], reading } = current
  const open = orders.filter(isOpenOrder)
  if (command === undefined || !isSingle(command) || open.length === 0) return undefined
  const protects = reading !== undefined && open.some(({ decision }) => isStopOf(decision?.plan, reading))
  return {
    state: 'live',
    keeper: 'venue',
    rules: { mode: 'cancel', onPartial: 'keep' },
    legs: open.map((attempt) => ({ decision: decisionOf(attempt), revision: 0 })),
    ...(protects && { protects }),
    isLone: true,
  }
}
