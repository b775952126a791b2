import type { Span, Tracing } from '@tripline/kit/telemetry/trace'
import type { AlertMessage } from '@tripline/proto/alert'
import type { ExecutionEvent } from '@tripline/proto/event'
import { executionIdOf } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import type { EventLog } from '../store/event-log.ts'
import { tracedVenue } from '../venue/traced-venue.ts'
import type { BlockTarget } from './alert-run.ts'

/** An alert that was taken from its stream, and what it brought with it. */
interface Taken {
  alert: AlertMessage
  takenAt: number
  traceparent: string | undefined
}

interface OpenExecution {
  span: Span
  command: { index: number; span: Span } | undefined
}

/**
 * The trace that an alert brought with it, continued by spans that begin and end with the events of the alert;
 * undefined where it is not traced.
 */
export function traceAlert(
  tracing: Tracing | undefined,
  { alert, takenAt, traceparent }: Taken,
  isResumed: boolean,
) {
  const run = tracing?.follow(traceparent, 'alert.run', 'consumer', takenAt)
  if (run === undefined) return undefined
  const executions = new Map<string, OpenExecution>()
  const parents = new Map<string, string>()
  const spanOf = (executionId: string): Span => {
    const open = executions.get(executionId)
    return open?.command?.span ?? open?.span ?? run
  }
  return {
    /** The log; the trace follows the events that it emits. */
    over: (events: EventLog): EventLog => ({
      ...events,
      emit: (event) => {
        if (!parents.has(event.eventId))
          parents.set(event.eventId, follow(run, executions, event).traceparent)
        events.emit(event)
      },
    }),
    /** The targets, whose venues are spans when they are asked. */
    within: (targets: readonly (BlockTarget | undefined)[]) =>
      targets.map((target, index) => {
        if (target?.client === undefined) return target
        const { venue, market } = target.client
        const span = (): Span => spanOf(executionIdOf(alert.alertId, index))
        return { ...target, client: { ...target.client, venue: tracedVenue(venue, market, span) } }
      }),
    /** From where the readers of an event go on. */
    traceparentOf: (eventId: string): string | undefined => parents.get(eventId),
    /** Ends what is still open. */
    end: (outcome: string): void => {
      for (const { span, command } of executions.values()) {
        command?.span.end({ outcome })
        span.end({ outcome })
      }
      const { alertId, userId } = alert
      run.end({ alertId, partition: partitionOf(userId), outcome, isResumed })
    },
  }
}

/** Begins and ends spans as an event says; returns the one that it belongs to. */
function follow(run: Span, executions: Map<string, OpenExecution>, event: ExecutionEvent): Span {
  if (event.kind === 'alert.refused') return run
  const { executionId, exchange: venue, at } = event
  const open = executions.get(executionId) ?? {
    span: run.begin('execution.run', 'internal', at),
    command: undefined,
  }
  executions.set(executionId, open)
  if (event.kind === 'execution.finished') open.span.end({ executionId, venue, outcome: event.status }, at)
  if (!('command' in event)) return open.span
  const { command: index, type: command } = event
  if (event.kind === 'command.started') {
    open.command = { index, span: open.span.begin('command.run', 'internal', at) }
  }
  if (open.command?.index !== index) return open.span
  const { span } = open.command
  if (event.kind === 'command.finished') {
    span.end({ executionId, venue, command, outcome: event.outcome.status }, at)
    open.command = undefined
  }
  return span
}
