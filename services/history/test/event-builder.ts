import { clientOrderIdOf } from '@tripline/proto/client-order-id'
import { type ExecutionEvent, eventIdOf } from '@tripline/proto/event'
import { AlertId, BotId, type ClientOrderId, executionIdOf, UserId } from '@tripline/proto/id'

export const user = UserId.parse('0193f5a0-0000-7000-8000-000000000001')
export const stranger = UserId.parse('0193f5a0-0000-7000-8000-000000000002')
export const bot = BotId.parse('0193f5a0-0000-7000-8000-0000000000b1')
export const otherBot = BotId.parse('0193f5a0-0000-7000-8000-0000000000b2')
export const noon = Date.UTC(2026, 10, 21, 12)
const characters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The id of the n-th alert of a test; a higher number is a later alert. */
export function alertId(number: number): AlertId {
  const digits = [Math.floor(number / 32), number].map((digit) => characters[digit % 32])
  return AlertId.parse(`01KAJ${'0'.repeat(19)}${digits.join('')}`)
}

/** The client order id of the order of a block. */
export function orderId(number: number, block = 0): ClientOrderId {
  return clientOrderIdOf({ alertId: alertId(number), block: block % 32, command: 0, leg: 0, revision: 0 })
}

interface AlertSettings {
  number?: number
  userId?: UserId
  botId?: BotId
  tookMs?: number
  blocks?: number
  label?: string
  symbol?: string
  exchange?: 'bybit' | 'paper_futures'
  type?: string
  status?: 'success' | 'failed'
  message?: string
  isFinished?: boolean
  errorCode?: string
  totalMs?: number
  venueOrderId?: string
  fee?: { amount: string; coin: string }
  slippage?: string
}

/** The events of one alert whose blocks place one market order each, in the order of the stream. */
export function eventsOfAlert(settings: AlertSettings = {}): ExecutionEvent[] {
  return Array.from({ length: settings.blocks ?? 1 }, (_, block) => eventsOfBlock(settings, block)).flat()
}

function eventsOfBlock(settings: AlertSettings, block: number): ExecutionEvent[] {
  const {
    number = 1,
    type = 'market',
    status = 'success',
    message = 'MyBot(BTCUSDT) { market(buy, 0.01) }',
  } = settings
  const receivedAt = noon + number * 1000
  const executionId = executionIdOf(alertId(number), block)
  const phaseOf = (place: 0 | '-', phase: string, afterMs: number) => ({
    eventId: eventIdOf(executionId, place, phase),
    at: receivedAt + afterMs,
    userId: settings.userId ?? user,
    alertId: alertId(number),
    executionId,
    botId: settings.botId ?? bot,
    label: settings.label ?? 'MyBot',
    exchange: settings.exchange ?? ('paper_futures' as const),
    symbol: settings.symbol ?? 'BTCUSDT',
  })
  const command = { command: 0, type }
  const order = {
    ...command,
    clientOrderId: orderId(number, block),
    side: 'buy' as const,
    quantity: '0.01',
  }
  const events: ExecutionEvent[] = [
    {
      kind: 'execution.received',
      ...phaseOf('-', 'received', 1),
      message,
      receivedAt,
      commands: [{ type, params: { side: 'buy', amount: '0.01' } }],
    },
    { kind: 'command.started', ...phaseOf(0, 'started', 2), ...command },
    { kind: 'order.sent', ...phaseOf(0, 'sent', 3), ...order },
    {
      kind: 'order.acknowledged',
      ...phaseOf(0, 'acknowledged', 4),
      ...order,
      venueOrderId: settings.venueOrderId ?? '42',
      filled: '0.01',
      averagePrice: '60000',
      roundTripMs: 1.5,
    },
    {
      kind: 'command.finished',
      ...phaseOf(0, 'finished', 5),
      ...command,
      outcome: outcomeOf(settings, order.clientOrderId),
    },
    { kind: 'execution.finished', ...phaseOf('-', 'finished', 6), status, totalMs: settings.totalMs ?? 6.25 },
  ]
  return settings.isFinished === false ? events.slice(0, -1) : events
}

type Outcome = Extract<ExecutionEvent, { kind: 'command.finished' }>['outcome']

function outcomeOf(settings: AlertSettings, clientOrderId: string): Outcome {
  const { type = 'market', status = 'success', tookMs: executionTimeMs = 3.5 } = settings
  if (status === 'failed') {
    const error = 'not enough margin'
    return {
      command: type,
      status,
      result: null,
      errorCode: settings.errorCode ?? 'E506',
      error,
      executionTimeMs,
    }
  }
  const result = {
    id: settings.venueOrderId ?? '42',
    client_order_id: clientOrderId,
    symbol: 'BTCUSDT',
    side: 'buy' as const,
    type: 'market' as const,
    amount: '0.01',
    price: '60000',
    filled: '0.01',
    status: 'filled' as const,
    reduce_only: false,
    sizing: 'base 0.01',
    ...(settings.fee && { fee: settings.fee }),
    ...(settings.slippage !== undefined && { slippage_percent: settings.slippage }),
  }
  return { command: type, status, result, errorCode: null, error: null, executionTimeMs }
}

/** An outcome that is unknown at first and turns out well later. */
export function lateAnswer(number = 7): ExecutionEvent[] {
  const [, started, , , finished] = eventsOfAlert({ number })
  if (started?.kind !== 'command.started' || finished?.kind !== 'command.finished') return []
  const unknown = { ...started, kind: 'command.unknown' as const, at: finished.at + 50, cause: 'no answer' }
  const eventId = eventIdOf(started.executionId, 0, 'unknown')
  return [
    { ...unknown, eventId },
    { ...finished, at: finished.at + 10 },
  ]
}

/** The event that an alert came again, while nobody had its answer. */
export function resent(number: number): ExecutionEvent {
  const [received] = eventsOfAlert({ number })
  if (received?.kind !== 'execution.received') throw new Error('no alert')
  const eventId = eventIdOf(received.executionId, '-', 'resent')
  const at = received.at + 4000
  return { ...received, eventId, at, message: '', commands: [], resentAs: alertId(number + 500) }
}

/** An alert that was not executed. */
export function refusal(number: number, userId = user): ExecutionEvent {
  return {
    kind: 'alert.refused',
    eventId: eventIdOf(alertId(number), '-', 'refused'),
    at: noon + number * 1000 + 1,
    userId,
    alertId: alertId(number),
    botId: null,
    label: null,
    symbol: null,
    exchange: null,
    message: 'NoBot(BTCUSDT) { market(buy, 1) }',
    receivedAt: noon + number * 1000,
    errorCode: 'E201',
    error: 'unknown bot NoBot',
  }
}

/** An execution that ended as failed, of which it turns out that it succeeded. */
export function amendedAlert(number: number): ExecutionEvent[] {
  const events = eventsOfAlert({ number, status: 'failed' })
  const finished = events.find((event) => event.kind === 'command.finished')
  if (finished === undefined) return events
  const { flight: _flown, ...rest } = finished
  const eventId = eventIdOf(finished.executionId, 0, 'amended')
  const outcome = outcomeOf({}, orderId(number))
  return [...events, { ...rest, eventId, kind: 'command.amended', at: finished.at + 60_000, outcome }]
}
