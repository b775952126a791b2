import { z } from 'zod'
import { OverallStatus } from './alert.ts'
import type { ClientEvent, ExecutionEvent, StoredEvent } from './event.ts'
import type { ExchangeMarket } from './exchange.ts'
import { exchangeMarketNames } from './exchange-market-names.ts'

/** A line of a browser's live log. */
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
      /** The end of the whole, with phase `done` or `refused`. */
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

type Line = Pick<LiveEvent, 'type' | 'message'> & { details: NonNullable<LiveEvent['details']> }
type Of<Kind extends StoredEvent['kind']> = Extract<StoredEvent, { kind: Kind }>

/** The line that the live log shows for an event. */
export function liveEventOf(event: StoredEvent): LiveEvent {
  const { type, message, details } = event.kind === 'client.changed' ? clientLine(event) : lineOf(event)
  const timestamp = new Date(event.at).toISOString()
  return { timestamp, type, message, details: { ...subjectOf(event), ...details } }
}

function subjectOf(event: StoredEvent): LiveEvent['details'] {
  // The history keeps it under its alert's id, since nothing of it ran.
  if (event.kind === 'alert.refused') return event.notice === undefined ? { execution_id: event.alertId } : {}
  if (event.kind === 'client.changed') return { label: event.label }
  return { execution_id: event.executionId, symbol: event.symbol, label: event.label }
}

function lineOf(event: ExecutionEvent): Line {
  switch (event.kind) {
    case 'execution.received': {
      const text = event.resentAs === undefined ? 'received' : 'came again, is run once'
      return line('webhook', `${event.label}(${event.symbol}) ${text}${cameAt(event)}`, { phase: 'received' })
    }
    case 'execution.finished': {
      const details = { phase: 'done', status: event.status, execution_time_ms: event.totalMs } as const
      return line('webhook', `${event.label}(${event.symbol}) ${event.status}`, details)
    }
    case 'alert.refused': {
      if (event.notice !== undefined) return line('error', event.error, { phase: 'alarm' })
      const details = { phase: 'refused', status: 'failed', error_code: event.errorCode } as const
      return line('error', coded(event.errorCode, event.error), details)
    }
    case 'order.sent':
    case 'order.acknowledged':
    case 'order.filled':
    case 'order.canceled':
      return orderLine(event)
    case 'command.finished':
      return finishedLine(event)
    default:
      return commandLine(event)
  }
}

const phases = {
  'order.sent': 'sent',
  'order.acknowledged': 'acknowledged',
  'order.filled': 'filled',
  'order.canceled': 'canceled',
} as const

type OrderEvent = Of<keyof typeof phases>

function orderLine(event: OrderEvent): Line {
  const { kind, side, type, clientOrderId } = event
  const phase = phases[kind]
  return line('exchange', `${side} ${sizeAndSymbol(event)} ${phase}${fillPrice(event)}`, {
    phase,
    command: type,
    client_order_id: clientOrderId,
    ...(kind === 'order.acknowledged' && { execution_time_ms: event.roundTripMs }),
  })
}

function sizeAndSymbol(event: OrderEvent): string {
  const { symbol } = event
  if (event.kind === 'order.sent' && event.spends !== undefined)
    return `${symbol} for ${event.spends.amount} ${event.spends.coin}`
  return `${event.kind === 'order.filled' ? event.filled : event.quantity} ${symbol}`
}

function fillPrice(event: OrderEvent): string {
  const price = event.kind === 'order.filled' ? event.averagePrice : null
  return price === null ? '' : ` at ${price}`
}

type CommandKind =
  | 'command.started'
  | 'command.unknown'
  | 'command.waiting'
  | 'command.alarm'
  | 'command.amended'
  | 'group.changed'

function commandLine(event: Of<CommandKind>): Line {
  const { type, symbol } = event
  const text = `${type} ${symbol}`
  const details = { command: type }
  switch (event.kind) {
    case 'command.started':
      return line('command', text, { ...details, phase: 'start' })
    case 'command.unknown': {
      const unknown = { ...details, phase: 'unknown', error_code: 'E602' } as const
      return line('error', `${text}: outcome unknown, asking the exchange`, unknown)
    }
    case 'command.waiting': {
      const until = new Date(event.wakeAt).toISOString()
      return line('command', `${type} until ${until}`, { ...details, phase: 'waiting' })
    }
    case 'command.alarm': {
      const code = event.code === undefined ? {} : { error_code: event.code }
      return line('error', `${text}: ${event.text}`, { ...details, phase: 'alarm', ...code })
    }
    case 'command.amended': {
      const { status, error } = event.outcome
      const message = `${text}: updated later: ${error ?? status}`
      return line(status === 'success' ? 'command' : 'error', message, { ...details, phase: 'amended' })
    }
    case 'group.changed':
      return line('oco', `${symbol}: ${event.text}`, { ...details, phase: 'changed' })
  }
}

function finishedLine({ outcome, type, symbol }: Of<'command.finished'>): Line {
  const details = { command: type, execution_time_ms: outcome.executionTimeMs }
  if (outcome.status === 'success') {
    return line('command', `${type} ${symbol} done`, { ...details, phase: 'success' })
  }
  if (outcome.status === 'skipped') return line('command', `${type} ${symbol} skipped`, { command: type })
  const code = outcome.errorCode === null ? {} : { error_code: outcome.errorCode }
  const cause = outcome.error ?? outcome.status
  return line('error', `${type} ${symbol}: ${cause}`, { ...details, ...code, phase: 'error' })
}

function clientLine({ label, exchange, state, tookMs, problem }: ClientEvent): Line {
  switch (state) {
    case 'warm': {
      const took = tookMs === undefined ? {} : { duration_ms: tookMs }
      return line('client_pool', `${label} is ready on ${exchangeMarketNames[exchange]}`, {
        phase: 'success',
        ...took,
      })
    }
    case 'unreachable':
      if (problem !== undefined)
        return line('client_pool', `${label} cannot trade: ${problem}`, { phase: 'error' })
      return line(
        'client_pool',
        `${label}: ${exchangeMarketNames[exchange]} cannot be reached, trying again`,
        { phase: 'error' },
      )
    case 'reconnecting':
      return line('client_pool', `${label}: private stream lost, connecting again`, { phase: 'error' })
    case 'live':
      return line('client_pool', `${label}: private stream is back`, { phase: 'keepalive' })
    case 'removed':
      return line('client_pool', `${label}: client closed`, { phase: 'done' })
  }
}

/** A bot whose client is connected. */
interface ConnectedBot {
  label: string
  exchange: ExchangeMarket
}

const mostNamed = 5

/** Returns the line that lists, now and then, which bots are connected; undefined if none is. It is not stored. */
export function keepAliveOf(bots: readonly ConnectedBot[], at: number): LiveEvent | undefined {
  const [first, ...others] = bots
  if (first === undefined) return undefined
  const message =
    others.length === 0
      ? `${first.label} is connected to ${exchangeMarketNames[first.exchange]}`
      : namesOf(bots)
  return { timestamp: new Date(at).toISOString(), ...line('client_pool', message, { phase: 'keepalive' }) }
}

function namesOf(bots: readonly ConnectedBot[]): string {
  const named = bots.slice(0, mostNamed).map(({ label }) => label)
  const unnamed = bots.length - named.length
  return `${bots.length} bots are connected: ${named.join(', ')}${unnamed > 0 ? ` and ${unnamed} more` : ''}`
}

function line(type: Line['type'], message: string, details: Line['details']): Line {
  return { type, message, details }
}

function cameAt({ isCloseOnly = false }: Of<'execution.received'>): string {
  return isCloseOnly ? ' at the close-only address' : ''
}

/** The error with its code before it, once. */
function coded(code: string, error: string): string {
  return error.startsWith(`${code} `) ? error : `${code} ${error}`
}
