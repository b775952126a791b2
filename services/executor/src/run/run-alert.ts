import { now } from '@tripline/kit/time/clock'
import {
  type AlertMoments,
  type AlertResult,
  type ExecutionResult,
  overallStatus,
} from '@tripline/proto/alert'
import { refusedTexts } from '@tripline/proto/cut-text'
import { eventIdOf } from '@tripline/proto/event'
import { executionIdOf } from '@tripline/proto/id'
import { abandonBlock, exchangeOf } from './abandon-block.ts'
import type { AlertRun } from './alert-run.ts'
import { type BlockFinding, checkTargets } from './check-targets.ts'
import { withMessageOnce } from './execution-events.ts'
import { type Foresight, foreseeAlert } from './foresee-alert.ts'
import { isReported, mayHaveBegun, refusalBefore } from './prior-attempt.ts'
import { type OrderMoments, runBlock } from './run-block.ts'

/**
 * Runs a whole alert: all of it is checked before any of it runs, then its blocks run side by side, each in the lane
 * of its account and market. Of one that an earlier owner began, what cannot go on is ended, and the rest goes on.
 * Returns the merged result; every event of it has been emitted by then.
 */
export async function runAlert(given: AlertRun): Promise<AlertResult> {
  const { alert, takenAt, priorAttempt } = given
  noteAgain(given)
  const refusal = refusalBefore(priorAttempt, alert)
  if (refusal !== undefined) return refused(given, [refusal])
  const checked = checkTargets(given)
  const { findings, unjudged } = checked.length > 0 ? { ...unforeseen, findings: checked } : foresee(given)
  const run = { ...given, events: withMessageOnce(given.events) }
  const checkedAt = now()
  if (findings.length > 0 && !isBegun(run)) return refuse(run, findings, checkedAt)
  const moments: OrderMoments = {}
  const running = alert.blocks.map(async (_block, index) => {
    const finding = findings.find(({ block }) => block === index)
    if (finding !== undefined && priorAttempt !== undefined)
      return abandonBlock({ ...run, priorAttempt }, index, finding)
    return await runBlock(run, index, moments, unjudged.has(index))
  })
  if (findings.length > 0) run.onLeftOut(run.events.stored())
  const executions = await allOf(running)
  return executed(run, executions, { takenAt, checkedAt, ...moments, finishedAt: now() })
}

/** Counts what an earlier owner's commands meant for entries: it may have died before that was stored. */
function noteAgain({ alert: { alertId, userId, blocks }, priorAttempt, entries }: AlertRun): void {
  for (const [index, { botId, symbol }] of blocks.entries()) {
    const executionId = executionIdOf(alertId, index)
    const { entryNotes = [] } = priorAttempt?.priorEvents.executions.get(executionId) ?? {}
    for (const { command, note } of entryNotes)
      entries.note({ userId, botId, symbol }, { executionId, command }, note)
  }
}

const unforeseen: Foresight = { findings: [], unjudged: new Set() }

/** Returns findings before an alert runs; none on what an earlier owner may have begun, or that only exits. */
function foresee({ alert, priorAttempt, targets, lanes, entries }: AlertRun): Foresight {
  if (priorAttempt !== undefined || alert.isCloseOnly === true) return unforeseen
  return foreseeAlert({ alert, clients: targets.map((target) => target?.client), lanes, entries })
}

/** True for an alert of which a part may have been done already, and can be reported. */
function isBegun(run: AlertRun): boolean {
  const { alert, priorAttempt, targets } = run
  if (priorAttempt === undefined || !mayHaveBegun(priorAttempt, alert)) return false
  // Findings where every bot has its client would have been made before anything was begun.
  if (targets.every((target) => target?.client !== undefined) && !isReported(priorAttempt, alert))
    return false
  return alert.blocks.some((_block, index) => exchangeOf(run, index) !== undefined)
}

function executed(
  { alert: { alertId } }: AlertRun,
  executions: ExecutionResult[],
  moments: AlertMoments,
): AlertResult {
  const status = overallStatus(executions.flatMap(({ commands }) => commands))
  return { outcome: 'executed', alertId, status, executions, moments }
}

/** All values, or the first error once every one of them has ended: nothing goes on unseen. */
async function allOf<Value>(promises: Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(promises)
  return await Promise.all(promises)
}

function refuse(run: AlertRun, findings: readonly BlockFinding[], checkedAt: number): AlertResult {
  const { alert, events, targets } = run
  const [first] = findings
  const index = first?.block ?? 0
  const block = alert.blocks[index]
  events.emit({
    kind: 'alert.refused',
    eventId: eventIdOf(alert.alertId, '-', 'refused'),
    at: now(),
    userId: alert.userId,
    alertId: alert.alertId,
    botId: block?.botId ?? null,
    label: block?.label ?? null,
    symbol: block?.symbol ?? null,
    exchange: targets[index]?.client?.market ?? null,
    ...refusedTexts(alert),
    ...(alert.isCloseOnly && { isCloseOnly: true }),
    receivedAt: alert.receivedAt,
    errorCode: first?.code ?? 'E605',
    error: first?.message ?? '',
  })
  run.onLeftOut(events.stored())
  return refused(run, [...findings], { checkedAt })
}

function refused(
  { alert: { alertId }, takenAt }: AlertRun,
  diagnostics: Extract<AlertResult, { outcome: 'refused' }>['diagnostics'],
  checked: Pick<AlertMoments, 'checkedAt'> = {},
): AlertResult {
  const moments = { takenAt, ...checked, finishedAt: now() }
  return { outcome: 'refused', alertId, diagnostics, moments }
}
