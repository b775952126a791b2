import { z } from 'zod'
import type { ExecutionEvent, StoredEvent } from './event.ts'
import { ExchangeMarket } from './exchange.ts'
import { commandTable } from './language/command-table.ts'

const CommandType = z.enum(commandTable.map(({ type }) => type))

// A base and a well-known quote: nothing else that somebody may have written passes for a symbol.
const ListedSymbol = z.string().regex(/^[A-Z0-9]{2,12}(?:USDT|USDC|FDUSD|USD|BTC|ETH|BNB|EUR)$/)

/** An event as anybody may see it: each field is one of a few words, a listed symbol, or rounded. */
export const PublicEvent = z.strictObject({
  timestamp: z.iso.datetime().describe('to the second'),
  type: z.enum(['webhook', 'command', 'exchange', 'error', 'connected']),
  message: z.string(),
  details: z
    .strictObject({
      command: CommandType,
      exchange: ExchangeMarket,
      symbol: ListedSymbol,
      side: z.enum(['buy', 'sell']),
      phase: z.enum(['received', 'start', 'acknowledged', 'success', 'error', 'unknown', 'done', 'refused']),
      outcome: z.enum(['success', 'partial', 'failed', 'skipped', 'unknown', 'refused']),
      execution_time_ms: z.int(),
    })
    .partial()
    .optional(),
})
export type PublicEvent = z.infer<typeof PublicEvent>
type Details = NonNullable<PublicEvent['details']>

/** Returns the public part of an event, made of nothing but what may be seen; undefined if there is none. */
export function publicEventOf(event: StoredEvent): PublicEvent | undefined {
  switch (event.kind) {
    case 'execution.received':
      if (event.resentAs !== undefined) return undefined
      return line(event, 'webhook', { ...marketOf(event), phase: 'received' })
    case 'command.started':
      return line(event, 'command', { ...marketOf(event), ...commandOf(event), phase: 'start' })
    case 'order.acknowledged': {
      const details = {
        ...marketOf(event),
        ...commandOf(event),
        side: event.side,
        ...took(event.roundTripMs),
      }
      return line(event, 'exchange', { ...details, phase: 'acknowledged' })
    }
    case 'command.unknown': {
      const details = { ...marketOf(event), ...commandOf(event) }
      return line(event, 'error', { ...details, phase: 'unknown', outcome: 'unknown' })
    }
    case 'command.finished':
      return finishedLine(event)
    case 'execution.finished': {
      const details = { ...marketOf(event), ...took(event.totalMs) }
      return line(event, 'webhook', { ...details, phase: 'done', outcome: event.status })
    }
    case 'alert.refused':
      if (event.notice !== undefined) return undefined
      return line(event, 'error', { phase: 'refused', outcome: 'refused' })
    case 'order.sent':
      return undefined
  }
}

/** Returns the first event of a public stream. */
export function publicGreeting(at: number): PublicEvent {
  return { timestamp: toTheSecond(at), type: 'connected', message: 'Connected' }
}

function finishedLine(event: Extract<ExecutionEvent, { kind: 'command.finished' }>): PublicEvent | undefined {
  const { status, executionTimeMs } = event.outcome
  const details = { ...marketOf(event), ...commandOf(event), ...took(executionTimeMs) }
  switch (status) {
    case 'success':
      return line(event, 'command', { ...details, phase: 'success', outcome: 'success' })
    case 'skipped':
      return line(event, 'command', { ...details, outcome: 'skipped' })
    case 'failed':
    case 'unknown':
      return line(event, 'error', { ...details, phase: 'error', outcome: status })
    case 'running':
      return undefined
  }
}

function marketOf({ exchange, symbol }: { exchange: ExchangeMarket; symbol: string }): Details {
  const listed = ListedSymbol.safeParse(symbol)
  return { exchange, ...(listed.success && { symbol: listed.data }) }
}

function commandOf({ type }: { type: string }): Details {
  const known = CommandType.safeParse(type)
  return known.success ? { command: known.data } : {}
}

function took(ms: number): Details {
  return { execution_time_ms: Math.round(ms) }
}

function line({ at }: { at: number }, type: PublicEvent['type'], details: Details): PublicEvent {
  return { timestamp: toTheSecond(at), type, message: messageOf(type, details), details }
}

const subjects = {
  webhook: 'Alert',
  command: 'Command',
  exchange: 'Order',
  error: 'Command',
  connected: 'Connected',
} as const

function messageOf(type: PublicEvent['type'], details: Details): string {
  const { command, side, symbol, phase, outcome } = details
  const subject = phase === 'refused' ? 'Alert' : (command ?? subjects[type])
  const how = phase === 'start' ? 'started' : phase === 'acknowledged' ? 'acknowledged' : (outcome ?? phase)
  return [subject, side, symbol, how].filter((word) => word !== undefined).join(' ')
}

function toTheSecond(at: number): string {
  return new Date(Math.floor(at / 1000) * 1000).toISOString()
}
