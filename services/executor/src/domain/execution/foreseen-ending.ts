import type { Command } from '@tripline/proto/alert-tree'
import { onlyExits } from '@tripline/proto/exit'
import { isExitOf } from '../account/permit.ts'
import { type ReadingScope, scopeOf } from '../account/reading-scope.ts'
import type { Decision } from '../order/attempt.ts'
import { type Ending, failed } from '../order/ending.ts'
import type { OrderCommand } from '../resolve/command.ts'
import { foreseeRefusal, mayBeForeseen, scopeToForesee } from './foresee.ts'
import type { Execution } from './state.ts'

/**
 * Returns the unsent ending of a command that opens something, where its reading shows that a command behind it would
 * be refused; undefined where it is sent. Possible orders of an earlier owner are not judged.
 */
export function foreseenEnding(execution: Execution, decisions: readonly Decision[]): Ending | undefined {
  const { commands, outcomes, market, current, notAbsentBefore, isRestored, isCloseOnly } = execution
  const { reading, orders } = current
  const isNew = orders === undefined && notAbsentBefore === undefined && !isRestored
  if (!isNew || isCloseOnly === true || reading === undefined) return undefined
  const left = commands.slice(outcomes.length)
  if (!mayBeForeseen(left, market)) return undefined
  if (decisions.every(({ plan }) => plan.reduceOnly || isExitOf(plan, reading))) return undefined
  const refusal = foreseeRefusal(left, { market, accounts: [reading] })
  const behind = refusal && left[refusal.command]
  if (refusal === undefined || behind === undefined) return undefined
  const { code, message } = refusal
  return failed(code, `nothing was placed: the ${behind.type} behind it would be refused, ${message}`)
}

/**
 * Returns how much of the account a command is decided on. Commands behind an entry are judged by that as well; an exit
 * waits for no more than it needs itself.
 */
export function scopeNeeded(
  { commands, outcomes, market }: Execution,
  command: Command,
  isExit: boolean,
): ReadingScope {
  const left = commands.slice(outcomes.length)
  const isJudged = !isExit && mayBeForeseen(left, market)
  return isJudged ? scopeToForesee(left, market) : scopeOf(command, market.kind)
}

/** True where an entry could be sent without a reading, and one is needed to judge what stands behind it. */
export function isReadFirst(
  { isUnjudged, outcomes, commands, market, current }: Execution,
  command: OrderCommand,
): boolean {
  if (isUnjudged !== true || current.reading !== undefined || onlyExits(command, market.kind)) return false
  return mayBeForeseen(commands.slice(outcomes.length), market)
}
