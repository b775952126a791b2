import type { ExecutedCommand, ExecutionView, FlightView } from '@tripline/proto/http/execution'
import { noteOf } from './flight-note.ts'
import { notificationOf } from './notification-of.ts'
import { presentResult } from './present-result.ts'
import { texts } from './texts.ts'

/** Something that happened within a stage. */
export interface StageNote {
  afterMs: number
  text: string
}

/** One step of an execution's way, in the order in which they happen. */
export interface Stage {
  key: string
  name: string
  status: string
  /** When it was reached, since the receipt; null if no event has it. */
  afterMs: number | null
  detail: string
  notes: StageNote[]
  /** The command that ran, if it is one, and its result with the present state of its orders. */
  command?: { index: number; executed: ExecutedCommand; present: ExecutedCommand['result'] }
}

/** The way of an execution, as far as it is known; times come from its flight record. */
export function stagesOf(execution: ExecutionView, flight: FlightView | undefined, zone: string): Stage[] {
  const commands = execution.commands_executed.map((executed, index) =>
    commandStage(executed, index, flight, zone),
  )
  return [
    receivedStage(flight),
    parsedStage(execution, flight),
    ...commands,
    notifiedStage(execution, flight, zone),
  ]
}

/** Returns the duration of the whole way, as the scale of the bars. */
export function wholeMs({ total_ms }: ExecutionView, flight: FlightView | undefined): number {
  const ended = afterOf(flight, ['execution.finished', 'alert.refused'])
  return Math.max(total_ms ?? 0, ended ?? 0)
}

function receivedStage(flight: FlightView | undefined): Stage {
  const resent = flight?.events.filter(({ kind }) => kind === 'alert.resent') ?? []
  return {
    key: 'received',
    name: texts.details.received,
    status: 'success',
    afterMs: 0,
    detail: '',
    notes: resent.map(({ after_ms }) => ({ afterMs: after_ms, text: texts.details.cameAgain })),
  }
}

function parsedStage(
  { error_code, commands_executed }: ExecutionView,
  flight: FlightView | undefined,
): Stage {
  const isRefused = error_code !== null && commands_executed.length === 0
  return {
    key: 'parsed',
    name: texts.details.parsed,
    status: isRefused ? 'failed' : 'success',
    afterMs: afterOf(flight, ['execution.received', 'alert.refused']),
    detail: isRefused ? texts.details.refused : texts.details.commandsRead(commands_executed.length),
    notes: [],
  }
}

function commandStage(
  executed: ExecutedCommand,
  index: number,
  flight: FlightView | undefined,
  zone: string,
): Stage {
  const events = flight?.events.filter(({ command }) => command === index) ?? []
  return {
    key: `command-${index}`,
    name: executed.type,
    status: executed.status,
    afterMs: events.find(({ kind }) => kind === 'command.started')?.after_ms ?? null,
    detail: '',
    notes: events.flatMap((event) => {
      const text = noteOf(event, zone)
      return text === undefined ? [] : [{ afterMs: event.after_ms, text }]
    }),
    command: { index, executed, present: presentResult(executed.result, events) },
  }
}

function notifiedStage(
  { overall_status }: ExecutionView,
  flight: FlightView | undefined,
  zone: string,
): Stage {
  return {
    key: 'notified',
    name: texts.details.notified,
    afterMs: afterOf(flight, ['execution.finished', 'alert.refused']),
    notes: [],
    ...(overall_status === 'running'
      ? { status: 'running', detail: texts.details.running }
      : flight === undefined
        ? { status: 'recorded', detail: '' }
        : notificationOf(flight.notification, zone)),
  }
}

function afterOf(flight: FlightView | undefined, kinds: readonly string[]): number | null {
  return flight?.events.find(({ kind }) => kinds.includes(kind))?.after_ms ?? null
}
