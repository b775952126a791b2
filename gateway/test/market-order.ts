import { type Bus, store } from '@tripline/kit/bus/bus'
import { type ExecutionEvent, eventIdOf } from '@tripline/proto/event'
import { AlertId, BotId, ClientOrderId, executionIdOf, type UserId } from '@tripline/proto/id'
import { eventSubject } from '@tripline/proto/subject'

const botId = BotId.parse('0193f5a0-0000-7000-8000-0000000000b1')
const alertId = AlertId.parse('01KAJ000000000000000000000')
const executionId = executionIdOf(alertId, 0)
const noon = Date.UTC(2026, 10, 21, 12)

/** The events of one market order, in the order in which the executor publishes them. */
export function marketOrder(userId: UserId, label = 'MyBot'): ExecutionEvent[] {
  const phaseOf = (place: 0 | '-', phase: string) => ({
    eventId: eventIdOf(executionId, place, phase),
    at: noon,
    userId,
    alertId,
    executionId,
    botId,
    label,
    exchange: 'paper_futures' as const,
    symbol: 'BTCUSDT',
  })
  const command = { command: 0, type: 'market' }
  const clientOrderId = ClientOrderId.parse(`t${alertId}00000`)
  const order = { ...command, clientOrderId, side: 'buy' as const, quantity: '0.01' }
  const acknowledged = { venueOrderId: '42', filled: '0.01', averagePrice: '60000', roundTripMs: 1.5 }
  const outcome = {
    command: 'market',
    status: 'success' as const,
    result: null,
    errorCode: null,
    error: null,
    executionTimeMs: 2.5,
  }
  return [
    {
      kind: 'execution.received',
      ...phaseOf('-', 'received'),
      message: '',
      receivedAt: noon,
      commands: [],
    },
    { kind: 'command.started', ...phaseOf(0, 'started'), ...command },
    { kind: 'order.sent', ...phaseOf(0, 'sent'), ...order },
    { kind: 'order.acknowledged', ...phaseOf(0, 'acknowledged'), ...order, ...acknowledged },
    { kind: 'command.finished', ...phaseOf(0, 'finished'), ...command, outcome },
    { kind: 'execution.finished', ...phaseOf('-', 'finished'), status: 'success', totalMs: 4.5 },
  ]
}

let published = 0

/** Publishes events in messages of their own; returns the sequence of the last one. */
export async function publishEvents(bus: Bus, events: readonly ExecutionEvent[]): Promise<number> {
  let sequence = 0
  for (const event of events) sequence = await publishText(bus, event, JSON.stringify(event))
  return sequence
}

/** Publishes events of one bot in one message; returns its sequence. */
export async function publishTogether(bus: Bus, events: readonly ExecutionEvent[]): Promise<number> {
  const [first] = events
  if (first === undefined) throw new Error('nothing to show')
  return await publishText(bus, first, JSON.stringify(events))
}

async function publishText(bus: Bus, { userId, botId }: ExecutionEvent, text: string): Promise<number> {
  const options = { messageId: `test-${++published}`, attemptMs: 2000, deadlineMs: 30_000 }
  return (await store(bus, eventSubject(userId, botId), text, options)).sequence
}
