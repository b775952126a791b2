import type { Command } from '@tripline/proto/alert-tree'
import { onlyExits } from '@tripline/proto/exit'
import type { Market } from '../order/market.ts'

/** True for a command that changes how the whole account trades, in all of its markets. */
export function isAccountWide(command: Command): boolean {
  return command.type === 'exchangeSettings' && (command.positionMode ?? command.marginMode) !== undefined
}

/** An exit in its lane: one that takes effect at once, one that only ends orders, or one whose orders may stay open. */
export type ExitKind = 'atOnce' | 'ending' | 'resting'

export const allExits: readonly ExitKind[] = ['atOnce', 'ending', 'resting']

/** The kind of exit that the commands are together; undefined where one of them may open something. */
export function exitKindOf(commands: readonly Command[], market: Market): ExitKind | undefined {
  if (!commands.every((command) => onlyExits(command, market.kind))) return undefined
  if (commands.some(mayRest)) return 'resting'
  return commands.some(({ type }) => type === 'market') ? 'atOnce' : 'ending'
}

/**
 * The exits that may be done before these commands, which could not be done so far: those that come to the same in
 * either order. Resting orders could be ended by a cancel that came before them, or outlive the position that they
 * protect; a cancel would miss what rests only later; and no exit can close what an entry opens only later.
 */
export function exitsBefore(commands: readonly Command[], market: Market): readonly ExitKind[] {
  const kind = exitKindOf(commands, market)
  if (kind === undefined) return []
  return kind === 'resting' ? ['atOnce'] : ['atOnce', 'ending']
}

function mayRest({ type }: Command): boolean {
  return type === 'limit' || type === 'stopOrder' || type === 'stopOrTakeProfit'
}
