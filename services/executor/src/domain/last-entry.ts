import type { Execution } from './execution-state.ts'
import { isExitOf } from './permit.ts'
import type { Side } from './side.ts'

/** The side of the entry that the command placed which ends now; undefined where it placed none. */
export function entrySideOf({ commands, outcomes, current }: Execution): Side | undefined {
  const { orders = [], reading } = current
  const type = commands[outcomes.length]?.type
  if (type !== 'market' && type !== 'limit' && type !== 'stopOrder') return undefined
  const entry = orders.find(({ found, decision }) => {
    if (found === undefined || decision === undefined || decision.plan.reduceOnly) return false
    return reading === undefined || !isExitOf(decision.plan, reading)
  })
  return entry?.decision?.plan.side
}
