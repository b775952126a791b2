import type { OverallStatus } from '@tripline/proto/alert'
import type { CommandResult, CommandStatus } from '@tripline/proto/command-result'
import type { ExecutionEvent } from '@tripline/proto/event'
import { type EventChange, eventChangeOf, isResent } from './flight.ts'
import { type OrderChange, ordersOf } from './order.ts'

/** The end of an execution, and the event that has it. */
export interface End {
  at: number
  by: string
  status: OverallStatus
  totalMs: number | null
  errorCode: string | null
  error: string | null
}

/** The fields of an execution that events have; null for those that none of them has. */
export interface ExecutionChange {
  id: string
  alertId: string
  userId: string
  botId: string | null
  label: string | null
  exchange: string | null
  symbol: string | null
  createdAt: number
  message: string | null
  /** The body as it was received, where the message is not the whole of it. */
  body: string | null
  /** The alert came at a close-only address, as far as events have it. */
  isCloseOnly: boolean
  end: End | null
}

/** The state of a command, and the event that has it. */
export interface Standing {
  /** The rank of the state: an outcome replaces `unknown`, which replaces `running`. */
  rank: number
  at: number
  by: string
  status: CommandStatus
  result: CommandResult['result']
  errorCode: string | null
  error: string | null
  executionTimeMs: number | null
}

/** The fields of a command that events have; null for those that none of them has. */
export interface CommandChange {
  executionId: string
  place: number
  type: string
  params: Record<string, string> | null
  standing: Standing | null
}

export interface Projection {
  executions: ExecutionChange[]
  commands: CommandChange[]
  events: EventChange[]
  /** One for each event of an order. */
  orders: OrderChange[]
}

/** The rows that events call for, one of each; the events' order and repetitions make no difference. */
export function project(events: readonly ExecutionEvent[]): Projection {
  const executions = new Map<string, ExecutionChange>()
  const commands = new Map<string, CommandChange>()
  const changes = new Map<string, EventChange>()
  for (const event of events) {
    // It belongs to no alert.
    if (event.kind === 'alert.refused' && event.notice !== undefined) continue
    const execution = isResent(event) ? undefined : executionOf(event)
    const known = execution && executions.get(execution.id)
    if (execution) executions.set(execution.id, known ? joinExecutions(known, execution) : execution)
    changes.set(`${event.eventId} ${event.at}`, eventChangeOf(event))
    for (const command of commandsOf(event)) {
      const key = `${command.executionId}.${command.place}`
      const earlier = commands.get(key)
      commands.set(key, earlier ? joinCommands(earlier, command) : command)
    }
  }
  return {
    executions: [...executions.values()],
    commands: [...commands.values()],
    events: [...changes.values()],
    orders: events.flatMap(ordersOf),
  }
}

function executionOf(event: ExecutionEvent): ExecutionChange {
  const { alertId, userId, botId, label, exchange, symbol } = event
  const unset = { message: null, body: null, isCloseOnly: false, end: null }
  const identity = { alertId, userId, botId, label, exchange, symbol, ...unset }
  switch (event.kind) {
    case 'alert.refused':
      // Nothing of a refused alert runs, so the alert's id, which no execution has, is the row's.
      return { ...identity, id: alertId, ...receiptOf(event), end: endOf(event) }
    case 'execution.received':
      return { ...identity, id: event.executionId, ...receiptOf(event) }
    case 'execution.finished':
      return { ...identity, id: event.executionId, createdAt: event.at, end: endOf(event) }
    default:
      return { ...identity, id: event.executionId, createdAt: event.at }
  }
}

function receiptOf(event: Extract<ExecutionEvent, { kind: 'alert.refused' | 'execution.received' }>) {
  // Another execution of the alert has the message then.
  const message = event.message === '' ? null : event.message
  const { body = null, isCloseOnly = false } = event
  return { createdAt: event.receivedAt, message, body, isCloseOnly }
}

function endOf(event: Extract<ExecutionEvent, { kind: 'alert.refused' | 'execution.finished' }>): End {
  const source = { at: event.at, by: event.eventId }
  if (event.kind === 'execution.finished') {
    return { ...source, status: event.status, totalMs: event.totalMs, errorCode: null, error: null }
  }
  return { ...source, status: 'failed', totalMs: null, errorCode: event.errorCode, error: event.error }
}

function commandsOf(event: ExecutionEvent): CommandChange[] {
  switch (event.kind) {
    case 'execution.received':
      return event.commands.map(({ type, params }, index) => ({
        executionId: event.executionId,
        place: index,
        type,
        params,
        standing: null,
      }))
    case 'command.started':
    case 'command.unknown':
    case 'command.finished':
    case 'command.amended': {
      const { executionId, command: place, type } = event
      return [{ executionId, place, type, params: null, standing: standingOf(event) }]
    }
    default:
      return []
  }
}

type CommandEvent = Extract<
  ExecutionEvent,
  { kind: 'command.started' | 'command.unknown' | 'command.finished' | 'command.amended' }
>

function standingOf(event: CommandEvent): Standing {
  const source = { at: event.at, by: event.eventId }
  const open = { ...source, result: null, errorCode: null, error: null, executionTimeMs: null }
  switch (event.kind) {
    case 'command.started':
      return { ...open, rank: rankOf('running'), status: 'running' }
    case 'command.unknown':
      return { ...open, rank: rankOf('unknown'), status: 'unknown', errorCode: 'E602', error: event.cause }
    case 'command.finished':
    case 'command.amended': {
      const { status, result, errorCode, error, executionTimeMs } = event.outcome
      const rank = event.kind === 'command.amended' ? amendedRank : rankOf(status)
      return { ...source, rank, status, result, errorCode, error, executionTimeMs }
    }
  }
}

/** An outcome that is found out later replaces all others. */
export const amendedRank = 4

function rankOf(status: CommandStatus): number {
  if (status === 'running') return 1
  return status === 'unknown' ? 2 : 3
}

function joinExecutions(one: ExecutionChange, other: ExecutionChange): ExecutionChange {
  const earlier = one.createdAt < other.createdAt ? one : other
  return {
    ...one,
    createdAt: earlier.createdAt,
    message: one.message ?? other.message,
    body: one.body ?? other.body,
    isCloseOnly: one.isCloseOnly || other.isCloseOnly,
    end: newest(one.end, other.end, (end) => [end.at, end.by]),
  }
}

function joinCommands(one: CommandChange, other: CommandChange): CommandChange {
  return {
    ...one,
    params: one.params ?? other.params,
    standing: newest(one.standing, other.standing, (standing) => [standing.rank, standing.at, standing.by]),
  }
}

function newest<Item>(
  one: Item | null,
  other: Item | null,
  ageOf: (item: Item) => (number | string)[],
): Item | null {
  if (one === null || other === null) return one ?? other
  return isAfter(ageOf(other), ageOf(one)) ? other : one
}

function isAfter(one: readonly (number | string)[], other: readonly (number | string)[]): boolean {
  for (const [index, part] of one.entries()) {
    const counterpart = other[index] ?? part
    if (part !== counterpart) return part > counterpart
  }
  return false
}
