import { now } from '@tripline/kit/time/clock'
import type { AlertBlock, AlertMessage, ExecutionResult } from '@tripline/proto/alert'
import type { CommandResult } from '@tripline/proto/command-result'
import type { ExchangeMarket } from '@tripline/proto/exchange'
import { alarmOf } from '../domain/execution/aftermath.ts'
import type { Execution } from '../domain/execution/state.ts'
import { type Ending, type Failure, failed, skipped } from '../domain/order/ending.ts'
import { commandEvent, type Emitter, emitAlarm, emitStart } from './emit.ts'
import { emitFinished, emitReceived, executionResultOf, identityOf } from './execution-events.ts'
import { outcomesBefore, type PriorAttempt } from './prior-attempt.ts'

/** A block that an earlier owner began and that cannot go on. */
export interface Abandoned {
  alert: AlertMessage
  block: AlertBlock
  index: number
  priorAttempt: PriorAttempt
  /** Exchange of its bot; undefined where that is not known any more, and so was never reported. */
  exchange: ExchangeMarket | undefined
  reason: Failure
  emit: Emitter['emit']
}

/**
 * Ends a block that cannot go on. An order of its next command that may be at the exchange is reported as unknown and
 * with high priority; a wait that still sleeps is skipped with the reason; what lies behind is skipped.
 */
export function abandonBlock(abandoned: Abandoned): ExecutionResult {
  const { alert, block, index, priorAttempt, exchange, emit } = abandoned
  const before = outcomesBefore(priorAttempt, alert.alertId, index)
  const rest = endingsOf(abandoned, before.length)
  const outcomes = [...before, ...rest]
  if (exchange === undefined) return executionResultOf(alert, block, index, outcomes)
  const emitter: Emitter = { identity: identityOf(alert, block, index, exchange), emit, flight: {} }
  emitReceived(alert, block, emitter)
  for (const [behind, outcome] of rest.entries()) {
    const earlier = { outcomes: outcomes.slice(0, before.length + behind), commands: block.commands }
    emitEnding(earlier, outcome, emitter)
  }
  return emitFinished(outcomes, alert.receivedAt, emitter)
}

function emitEnding(
  earlier: Pick<Execution, 'outcomes' | 'commands'>,
  outcome: CommandResult,
  emitter: Emitter,
): void {
  const about = { command: earlier.outcomes.length, type: outcome.command }
  const { status, errorCode, error } = outcome
  if (status !== 'skipped') emitStart(about, emitter)
  const alarm = errorCode === 'E602' ? { code: errorCode, error } : alarmOf(earlier, outcome)
  if (alarm !== undefined) emitAlarm(about, { code: alarm.code, text: alarm.error ?? '' }, emitter)
  emitter.emit({ kind: 'command.finished', ...commandEvent(about, emitter, 'finished'), outcome })
}

function endingsOf(abandoned: Abandoned, from: number): CommandResult[] {
  const { block, index, priorAttempt, reason } = abandoned
  const kept = priorAttempt.progress[index]
  const sleepsUntil = kept?.outcomes.length === from ? kept.wakeAt : undefined
  // A sleeper that was lost has sent nothing behind its wait, as long as that is not over.
  const isAsleep =
    sleepsUntil !== undefined && (priorAttempt.notAbsentBefore === undefined || now() < sleepsUntil)
  const isInDoubt = priorAttempt.notAbsentBefore !== undefined && !isAsleep
  const first = isInDoubt
    ? failed('E602', `${reason.error}; look at the exchange what was done`)
    : failed(reason.code, reason.error)
  return block.commands.slice(from).map(({ type }, behind) => {
    const ending: Ending = isAsleep ? skipped(reason) : behind === 0 ? first : skipped()
    return { command: type, ...ending, executionTimeMs: 0 }
  })
}
