import { z } from 'zod'
import { OverallStatus } from './alert.ts'
import type { ExecutionEvent } from './event.ts'

/** What a browser's live log shows, one line each. */
export const LiveEvent = z.object({
  timestamp: z.iso.datetime(),
  type: z.enum(['webhook', 'client_pool', 'command', 'exchange', 'oco', 'error', 'connected']),
  message: z.string(),
  details: z
    .object({
      execution_id: z.string(),
      command: z.string(),
      phase: z.enum([
        'start',
        'sent',
        'acknowledged',
        'success',
        'error',
        'unknown',
        'received',
        'done',
        'refused',
        'waiting',
        'filled',
        'canceled',
        'alarm',
        'amended',
        'changed',
        'keepalive',
      ]),
      /** How it all ended, with phase `done`. */
      status: OverallStatus,
      execution_time_ms: z.number(),
      duration_ms: z.number(),
      symbol: z.string(),
      label: z.string(),
      error_code: z.string(),
      client_order_id: z.string(),
    })
    .partial()
    .optional(),
})
export type LiveEvent = z.infer<typeof LiveEvent>

/** The line that the live log shows for an event. */
export function liveEventOf(event: ExecutionEvent): LiveEvent {
  const timestamp = new Date(event.at).toISOString()
  switch (event.kind) {
    case 'execution.received':
      return line('webhook', `${event.label}(${event.symbol}) received`, { phase: 'received' })
    case 'command.started':
      return line('command', `${event.type} ${event.symbol}`, { phase: 'start', command: event.type })
    case 'order.sent':
      return line('exchange', `${event.side} ${event.quantity} ${event.symbol} sent`, {
        phase: 'sent',
        command: event.type,
        client_order_id: event.clientOrderId,
      })
    case 'order.acknowledged':
      return line('exchange', `${event.side} ${event.quantity} ${event.symbol} acknowledged`, {
        phase: 'acknowledged',
        command: event.type,
        client_order_id: event.clientOrderId,
        execution_time_ms: event.roundTripMs,
      })
    case 'command.unknown':
      return line('error', `${event.type} ${event.symbol}: outcome unknown, asking the exchange`, {
        phase: 'unknown',
        command: event.type,
        error_code: 'E602',
      })
    case 'order.filled':
      return line('exchange', `${event.side} ${event.filled} ${event.symbol} filled`, {
        phase: 'filled',
        command: event.type,
        client_order_id: event.clientOrderId,
      })
    case 'order.canceled':
      return line('exchange', `${event.side} ${event.quantity} ${event.symbol} canceled`, {
        phase: 'canceled',
        command: event.type,
        client_order_id: event.clientOrderId,
      })
    case 'command.waiting':
      return line('command', `${event.type} until ${new Date(event.wakeAt).toISOString()}`, {
        phase: 'waiting',
        command: event.type,
      })
    case 'command.alarm':
      return line('error', `${event.type} ${event.symbol}: ${event.text}`, {
        phase: 'alarm',
        command: event.type,
        error_code: event.code,
      })
    case 'command.amended':
      return line(event.outcome.status === 'success' ? 'command' : 'error', amendment(event), {
        phase: 'amended',
        command: event.type,
      })
    case 'group.changed':
      return line('oco', `${event.symbol}: ${event.text}`, { phase: 'changed', command: event.type })
    case 'command.finished':
      return commandLine(event)
    case 'execution.finished':
      return line('webhook', `${event.label}(${event.symbol}) ${event.status}`, {
        phase: 'done',
        status: event.status,
        execution_time_ms: event.totalMs,
      })
    case 'alert.refused':
      return line('error', coded(event.errorCode, event.error), {
        phase: 'refused',
        error_code: event.errorCode,
      })
  }

  function line(type: LiveEvent['type'], message: string, details: LiveEvent['details']): LiveEvent {
    const place =
      event.kind === 'alert.refused'
        ? {}
        : { execution_id: event.executionId, symbol: event.symbol, label: event.label }
    return { timestamp, type, message, details: { ...place, ...details } }
  }

  function commandLine(finished: Extract<ExecutionEvent, { kind: 'command.finished' }>): LiveEvent {
    const { outcome, type, symbol } = finished
    const details = { command: type, execution_time_ms: outcome.executionTimeMs }
    if (outcome.status === 'success') {
      return line('command', `${type} ${symbol} done`, { ...details, phase: 'success' })
    }
    if (outcome.status === 'skipped') return line('command', `${type} ${symbol} skipped`, { command: type })
    const code = outcome.errorCode === null ? {} : { error_code: outcome.errorCode }
    const cause = outcome.error ?? outcome.status
    return line('error', `${type} ${symbol}: ${cause}`, { ...details, ...code, phase: 'error' })
  }
}

function amendment({ type, symbol, outcome }: Extract<ExecutionEvent, { kind: 'command.amended' }>): string {
  return `${type} ${symbol}: found out later: ${outcome.error ?? outcome.status}`
}

/** The error with its code before it, once. */
function coded(code: string, error: string): string {
  return error.startsWith(`${code} `) ? error : `${code} ${error}`
}
