import type { AlertMessage } from '@tripline/proto/alert'
import type { CommandResult } from '@tripline/proto/command-result'
import { type AlertId, executionIdOf } from '@tripline/proto/id'
import type { PriorEvents } from '../store/event-log.ts'
import type { Progress } from '../store/progress-store.ts'
import type { PriorLane } from './prior-lane.ts'

/** Possible acts of an earlier owner for an alert; undefined for one that no owner took before. */
export interface PriorAttempt {
  /** From when on an order that is not found counts as absent; undefined when nothing can be in flight. */
  notAbsentBefore: number | undefined
  priorEvents: PriorEvents
  /** State of the lanes; undefined where the former owner may have begun the alert out of order. */
  begun: Map<string, PriorLane> | undefined
  /** The alert came back with a back-up: its unknown parts may have been done all the same. */
  isRestored: boolean
  /** Executions that an exit overtook before. */
  overtaken: ReadonlySet<string>
  /** Progress of the blocks that wait. */
  progress: Progress
  /** All of it has ended, as history knows though the stream does not: nothing of it is to be done. */
  hasEnded: boolean
}

/** True where the end of all of an alert is in the stream. */
export function isEndStored(priorEvents: PriorEvents, { alertId, blocks }: AlertMessage): boolean {
  if (priorEvents.refusals.has(alertId)) return true
  return blocks.every(({ commands }, index) => {
    const { outcomes = [] } = priorEvents.executions.get(executionIdOf(alertId, index)) ?? {}
    return outcomes.length >= commands.length
  })
}

/** True where history has executions of an alert, or ends of them, that the stream has lost. */
export function areEventsLost(
  priorEvents: PriorEvents,
  { alertId, blocks }: AlertMessage,
  { ended, open }: { ended: number; open: number },
): boolean {
  const stored = blocks.flatMap(({ commands }, index) => {
    const known = priorEvents.executions.get(executionIdOf(alertId, index))
    return known === undefined ? [] : [known.outcomes.length >= commands.length]
  })
  return ended + open > stored.length || ended > stored.filter((hasEnded) => hasEnded).length
}

/** True where something of the alert was reported: then all of it was checked, and found to be in order. */
export function isReported({ priorEvents }: PriorAttempt, { alertId, blocks }: AlertMessage): boolean {
  return blocks.some((_block, index) => priorEvents.executions.has(executionIdOf(alertId, index)))
}

/** Returns an earlier owner's refusal of the alert, for its result; undefined where there is none. */
export function refusalBefore(
  priorAttempt: PriorAttempt | undefined,
  { alertId, blocks }: AlertMessage,
): { code: string; message: string; block: number } | undefined {
  const refusal = priorAttempt?.priorEvents.refusals.get(alertId)
  if (refusal === undefined) return undefined
  const { errorCode: code, error: message, botId, symbol } = refusal
  const index = blocks.findIndex((block) => block.botId === botId && block.symbol === symbol)
  return { code, message, block: Math.max(0, index) }
}

/** Whether something of the alert may have been done. */
export function mayHaveBegun(priorAttempt: PriorAttempt, alert: AlertMessage): boolean {
  const { notAbsentBefore, progress } = priorAttempt
  return notAbsentBefore !== undefined || isReported(priorAttempt, alert) || Object.keys(progress).length > 0
}

/** Returns earlier outcomes, as far as they are stored, of a block's commands. */
export function outcomesBefore(
  { priorEvents, progress }: PriorAttempt,
  alertId: AlertId,
  index: number,
): readonly CommandResult[] {
  const published = priorEvents.executions.get(executionIdOf(alertId, index))?.outcomes ?? []
  const stored = progress[index]
  // The stored progress has all outcomes before its wait, also where an event of it was not stored any more.
  return stored !== undefined && stored.outcomes.length > published.length ? stored.outcomes : published
}
