import { elapsedMs } from '@tripline/proto/elapsed'
import type { ExecutionEvent } from '@tripline/proto/event'
import type { FlightEvent, FlightStages } from '@tripline/proto/history-request'

/** An event as it is stored beside its execution. */
export interface EventChange extends Omit<FlightEvent, 'afterMs'> {
  executionId: string
  id: string
}

/** The kind of the rows that say that an alert came again. */
export const resentKind = 'alert.resent'

/** True for the event of an alert that came again, which does not say that it has an execution: it may be refused. */
export function isResent(event: ExecutionEvent): boolean {
  return event.kind === 'execution.received' && event.resentAs !== undefined
}

/** Returns the details of an event that its execution does not have already. */
export function eventChangeOf(event: ExecutionEvent): EventChange {
  const {
    kind,
    eventId,
    at,
    userId: _1,
    alertId,
    botId: _2,
    label: _3,
    exchange: _4,
    symbol: _5,
    ...rest
  } = event
  const base = { id: eventId, at, kind: isResent(event) ? resentKind : kind }
  if ('message' in rest) {
    // Once with the execution is enough for what may have 64 KiB.
    const { message: _6, body: _7, ...others } = rest
    const executionId = 'executionId' in others ? others.executionId : alertId
    return { ...base, executionId, command: null, details: detailsOf(others) }
  }
  const command = 'command' in rest ? rest.command : null
  return { ...base, executionId: rest.executionId, command, details: detailsOf(rest) }
}

function detailsOf(fields: Record<string, unknown>): Record<string, unknown> {
  const { executionId: _1, command: _2, commands: _3, ...details } = fields
  return details
}

/** Returns the duration of each stage, as far as the events have it. */
export function stagesOf(
  receivedAt: number,
  events: readonly Pick<FlightEvent, 'kind' | 'at'>[],
): FlightStages {
  const firstAt = (kind: string): number | undefined => events.find((event) => event.kind === kind)?.at
  const taken = firstAt('execution.received')
  const sent = firstAt('order.sent')
  const acknowledged = firstAt('order.acknowledged')
  const finished = firstAt('execution.finished') ?? firstAt('alert.refused')
  return {
    ...stage('queueMs', receivedAt, taken),
    ...stage('planMs', taken, sent),
    ...stage('venueMs', sent, acknowledged),
    ...stage('settleMs', acknowledged ?? sent ?? taken ?? receivedAt, finished),
  }
}

function stage(name: keyof FlightStages, from: number | undefined, to: number | undefined): FlightStages {
  if (from === undefined || to === undefined) return {}
  return { [name]: elapsedMs(from, to) }
}
