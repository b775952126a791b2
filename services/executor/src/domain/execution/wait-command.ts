import type { Command } from '@tripline/proto/alert-tree'
import type { TradingState } from '@tripline/proto/user-config'
import { type BotLimits, haltedError } from '../account/permit.ts'
import { type Failure, failed, skipped, succeeded } from '../order/ending.ts'
import { type Execution, type Step, settle } from './state.ts'

export type WaitCommand = Extract<Command, { type: 'wait' }>

/** Scale of a bot's freedom, from nothing on. */
const freedom: Record<TradingState, number> = { halted: 0, reducing: 1, active: 2 }

/** Returns the next step of a wait: it is written down, then slept out of the lane, unless the bot is stopped. */
export function nextForWait(
  execution: Execution,
  { durationMs }: WaitCommand,
  { tradingState, waitObjection }: BotLimits,
  now: number,
): Step {
  const { sleep } = execution.current
  const begunAs = sleep?.tradingState ?? tradingState
  const stopped = stopOf(begunAs, tradingState)
  if (stopped !== undefined) return settle(execution, skipped(stopped), now)
  if (sleep === undefined) {
    if (waitObjection !== undefined) return settle(execution, failed('E518', waitObjection), now)
    return { do: 'keepProgress', sleep: { wakeAt: now + durationMs, tradingState } }
  }
  if (now < sleep.wakeAt) return { do: 'sleep', until: sleep.wakeAt }
  return settle(execution, succeeded({ duration: durationMs, woke_at: sleep.wakeAt }), now)
}

/** Why what was to follow a wait is not done; undefined where the bot may do as much as when it began. */
function stopOf(before: TradingState, after: TradingState): Failure | undefined {
  if (after === 'halted') return { code: 'E516', error: haltedError }
  if (freedom[after] >= freedom[before]) return undefined
  return { code: 'E516', error: 'The bot was paused while the alert waited' }
}
