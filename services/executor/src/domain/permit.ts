import type { TradingState } from '@tripline/proto/user-config'
import type { AccountReading } from './account.ts'
import { type Ending, failed } from './ending.ts'
import type { OrderPlan } from './order.ts'
import { isExit } from './sizing.ts'

/** What is known of a bot when its commands run. */
export interface BotLimits {
  tradingState: TradingState
  maxEntryAgeMs: number
}

/** Why a bot that is halted does nothing. */
export const haltedError = 'The bot is halted'

/**
 * Whether orders may be placed now: not by a halted bot, and entries neither by one that only reduces nor when their
 * alert is too old. `read`: whether they are exits hangs on the position, which nobody has looked at yet.
 */
export function permit(
  orders: readonly OrderPlan[],
  reading: AccountReading | undefined,
  ageMs: number,
  { tradingState, maxEntryAgeMs }: BotLimits,
): 'placed' | 'read' | Ending {
  if (tradingState === 'halted') return failed('E516', haltedError)
  const isLate = ageMs > maxEntryAgeMs
  if (!isLate && tradingState === 'active') return 'placed'
  const entries = orders.filter(({ reduceOnly }) => !reduceOnly)
  if (entries.length === 0) return 'placed'
  if (reading === undefined) return 'read'
  if (entries.every((order) => isExitOf(order, reading))) return 'placed'
  if (!isLate) return failed('E516', 'The bot only reduces positions now')
  const limitS = maxEntryAgeMs / 1000
  return failed('E515', `The alert is ${(ageMs / 1000).toFixed(0)} s old, entries are run up to ${limitS} s`)
}

/** In hedge mode a side that sells its long, or buys back its short, can only shrink it. */
function isExitOf({ positionSide, side, quantity }: OrderPlan, { position }: AccountReading): boolean {
  if (positionSide === 'both') return isExit(side, quantity, position)
  return (positionSide === 'long') === (side === 'sell')
}
