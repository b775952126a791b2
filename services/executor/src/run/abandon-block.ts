import { now } from '@tripline/kit/time/clock'
import type { AlertBlock, ExecutionResult } from '@tripline/proto/alert'
import type { CommandResult } from '@tripline/proto/command-result'
import { type ExchangeMarket, exchangeMarketOf } from '@tripline/proto/exchange'
import { executionIdOf } from '@tripline/proto/id'
import { aboutOf, endingEventsOf } from '../domain/execution/events.ts'
import { type Ending, type Failure, failed, skipped } from '../domain/order/ending.ts'
import type { AlertRun } from './alert-run.ts'
import type { BlockFinding } from './check-targets.ts'
import { emitFinished, emitReceived, identityOf, resultOf } from './execution-events.ts'
import { outcomesBefore, type PriorAttempt } from './prior-attempt.ts'

/** Returns a block's exchange, by its bot or by earlier events; undefined where it is not known, and so was never reported. */
export function exchangeOf(
  { alert, priorAttempt, targets }: Pick<AlertRun, 'alert' | 'priorAttempt' | 'targets'>,
  index: number,
): ExchangeMarket | undefined {
  const bot = targets[index]?.bot
  if (bot !== undefined) return exchangeMarketOf(bot.exchange, bot.marketType)
  return priorAttempt?.priorEvents.executions.get(executionIdOf(alert.alertId, index))?.exchange
}

/**
 * Ends a block that an earlier owner began and that cannot go on. An order of its next command that may be at the exchange
 * is reported as unknown and with high priority; a wait that still sleeps is skipped with the reason; the commands behind are
 * skipped.
 */
export function abandonBlock(
  run: Pick<AlertRun, 'alert' | 'targets' | 'events'> & { priorAttempt: PriorAttempt },
  index: number,
  finding: BlockFinding,
): ExecutionResult {
  const { alert, priorAttempt, events, targets } = run
  const block = alert.blocks[index]
  if (block === undefined) throw new Error('a finding on no block')
  const reason =
    targets[index]?.bot === undefined
      ? { code: 'E516', error: 'The bot was deleted' }
      : { code: finding.code, error: finding.message }
  const before = outcomesBefore(priorAttempt, alert.alertId, index)
  const outcomes = [...before, ...endingsOf(block, index, before.length, priorAttempt, reason)]
  const exchange = exchangeOf(run, index)
  const executionId = executionIdOf(alert.alertId, index)
  if (exchange === undefined) return resultOf({ ...block, executionId }, outcomes)
  const emitter = { identity: identityOf(alert, block, index, exchange), emit: events.emit }
  emitReceived(alert, block, emitter)
  for (const [command, outcome] of outcomes.entries()) {
    if (command < before.length) continue
    const earlier = { outcomes: outcomes.slice(0, command), commands: block.commands }
    const scene = { identity: emitter.identity, at: now(), about: aboutOf(earlier) }
    const alarm = outcome.errorCode === 'E602' && { alarm: { code: 'E602', error: outcome.error ?? '' } }
    for (const event of endingEventsOf(scene, earlier, { outcome, ...alarm })) events.emit(event)
  }
  return emitFinished(outcomes, alert.receivedAt, emitter)
}

function endingsOf(
  { commands }: AlertBlock,
  index: number,
  from: number,
  { progress, notAbsentBefore }: PriorAttempt,
  reason: Failure,
): CommandResult[] {
  const stored = progress[index]
  const sleepsUntil = stored?.outcomes.length === from ? stored.wakeAt : undefined
  // A sleeper that was lost has sent nothing behind its wait, as long as that is not over.
  const isAsleep = sleepsUntil !== undefined && (notAbsentBefore === undefined || now() < sleepsUntil)
  const isInDoubt = notAbsentBefore !== undefined && !isAsleep
  const first = isInDoubt
    ? failed('E602', `${reason.error}; look at the exchange what was done`)
    : failed(reason.code, reason.error)
  return commands.slice(from).map(({ type }, behind) => {
    const ending: Ending = isAsleep ? skipped(reason) : behind === 0 ? first : skipped()
    return { command: type, ...ending, executionTimeMs: 0 }
  })
}
