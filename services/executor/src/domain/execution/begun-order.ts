import type { Command } from '@tripline/proto/alert-tree'
import type { Execution } from './state.ts'

/** True for a block that stays in its lane from its beginning to its end: one that sleeps lets those behind it begin. */
export function staysInLane(commands: readonly Command[]): boolean {
  return commands.every(({ type }) => type !== 'wait')
}

/**
 * True where a former owner that began the blocks of a lane in order may have begun one behind this one, by all that is
 * stored of it and was found at the venue. Behind a command whose order never reached the venue, and behind one of which
 * an outcome would be stored first, nothing was begun.
 */
export function mayHaveGoneOn({
  commands,
  outcomes,
  notAbsentBefore,
  isUnbegun,
}: Pick<Execution, 'commands' | 'outcomes' | 'notAbsentBefore' | 'isUnbegun'>): boolean {
  if (isUnbegun === true) return false
  const next = commands[outcomes.length]
  const hasEnded = next === undefined || outcomes.some(({ status }) => status !== 'success')
  return hasEnded || (notAbsentBefore !== undefined && !leavesNoOrder(next))
}

function leavesNoOrder({ type }: Command): boolean {
  return type === 'cancel' || type === 'balance' || type === 'exchangeSettings'
}
