import type { Command } from '@tripline/proto/alert-tree'
import type { SettingsChange, SettingsOutcome } from '../account/account.ts'
import { type BotLimits, haltedError } from '../account/permit.ts'
import { askAgainMs } from '../order/attempt.ts'
import { type Ending, failed, succeeded } from '../order/ending.ts'
import { type Execution, type Step, settle, withCurrent } from './state.ts'

const mostTries = 10
const tryAgainMs = 1000

export type SettingsCommand = Extract<Command, { type: 'exchangeSettings' }>

/** Returns the next step of a change of settings; asking for the present settings changes nothing. */
export function nextForSettings(
  execution: Execution,
  command: SettingsCommand,
  { tradingState }: BotLimits,
  now: number,
): Step {
  if (tradingState === 'halted') return settle(execution, failed('E516', haltedError), now)
  // A change that an earlier owner sent must not arrive behind this one, or behind the next.
  const { notAbsentBefore = now } = execution
  if (now < notAbsentBefore) return { do: 'wait', until: notAbsentBefore }
  return { do: 'change', change: changeOf(command) }
}

/** The execution after its settings were to be changed; a change without an answer is asked for again. */
export function afterChange(
  execution: Execution,
  command: SettingsCommand,
  outcome: SettingsOutcome,
  now: number,
): Execution {
  const { tries = 0 } = execution.current
  if (outcome.outcome === 'withheld') return withCurrent(execution, { notBefore: now + askAgainMs })
  if (outcome.outcome === 'unknown' && tries + 1 < mostTries) {
    return withCurrent(execution, { tries: tries + 1, notBefore: now + tryAgainMs })
  }
  return withCurrent(execution, { ending: endingOf(command, outcome) })
}

/** Returns the settings that differ once the command is done. */
export function changeOf({ leverage, marginMode, positionMode }: SettingsCommand): SettingsChange {
  return {
    ...(leverage !== undefined && { leverage }),
    ...(marginMode !== undefined && { marginMode }),
    ...(positionMode !== undefined && { positionMode }),
  }
}

function endingOf(
  command: SettingsCommand,
  outcome: Exclude<SettingsOutcome, { outcome: 'withheld' }>,
): Ending {
  if (outcome.outcome === 'refused') return failed(outcome.code, outcome.error)
  if (outcome.outcome === 'unknown') {
    return failed('E602', `The exchange did not report whether the settings were changed: ${outcome.cause}`)
  }
  const { leverage, marginMode, positionMode } = command
  const isLeverageOnly = leverage !== undefined && marginMode === undefined
  const note = isLeverageOnly ? `${outcome.note}; the margin mode was left alone` : outcome.note
  return succeeded({
    changed: outcome.outcome === 'changed',
    leverage: leverage ?? null,
    margin_mode: marginMode ?? null,
    position_mode: positionMode ?? null,
    note,
  })
}
