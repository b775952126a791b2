import type { Ending } from './ending.ts'
import { type Execution, type Step, settle } from './execution-state.ts'

/**
 * Returns the step for a command that comes to no order. How an account holds positions is remembered and may be changed by hand,
 * which no venue tells of: where that denies the command, the account is asked for before it is refused.
 */
export function endUnsent(execution: Execution, ending: Ending, now: number): Step {
  const isDenied = ending.errorCode === 'E405' && execution.current.isReadAgain !== true
  return isDenied ? { do: 'read' } : settle(execution, ending, now)
}
