import { now } from '@tripline/kit/time/clock'
import { legMark } from '@tripline/proto/client-order-id'
import { plain } from '@tripline/proto/decimal'
import { elapsedMs } from '@tripline/proto/elapsed'
import type { ExecutionEvent, Flight } from '@tripline/proto/event'
import { eventIdOf } from '@tripline/proto/event'
import type { ExchangeMarket } from '@tripline/proto/exchange'
import type { AlertId, BotId, ClientOrderId, ExecutionId, UserId } from '@tripline/proto/id'
import type { Execution } from '../domain/execution/state.ts'
import type { Decision } from '../domain/order/attempt.ts'
import { isTerminal, type VenueOrder } from '../domain/order/order.ts'

/** Which execution this is, as every event of it says. */
export interface Identity {
  userId: UserId
  alertId: AlertId
  executionId: ExecutionId
  botId: BotId
  label: string
  exchange: ExchangeMarket
  symbol: string
}

/** An execution, and where its events go. */
export interface Emitter {
  identity: Identity
  emit: (event: ExecutionEvent) => void
  /** The moments of the command that runs. */
  flight: Flight
}

/** Which command is told of. */
export interface About {
  command: number
  type: string
}

/** The command that runs. */
export function aboutOf({ outcomes, commands }: Execution): About {
  const command = outcomes.length
  return { command, type: commands[command]?.type ?? '' }
}

/** Returns the common fields of a command's events. */
export function commandEvent(
  { command, type }: About,
  { identity }: Pick<Emitter, 'identity'>,
  phase: string,
): Identity & About & { eventId: string; at: number } {
  return { ...identity, eventId: eventIdOf(identity.executionId, command, phase), at: now(), command, type }
}

/** Emits that the command began, unless that is known. */
export function emitStart(about: About, emitter: Emitter): void {
  emitter.emit({ kind: 'command.started', ...commandEvent(about, emitter, 'started') })
}

/** Emits that an order went out; `quote` is the coin that a buy by value spends, needed where there may be one. */
export function emitSent(
  about: About,
  decision: Decision,
  at: number,
  emitter: Emitter,
  quote?: string,
): void {
  const { plan, reference } = decision
  const { clientOrderId, side, quantity } = plan
  emitter.flight.sentAt = at
  emitter.emit({
    kind: 'order.sent',
    ...commandEvent(about, emitter, phaseOf('sent', clientOrderId)),
    at,
    clientOrderId,
    side,
    quantity: plain(quantity),
    ...(reference !== undefined && { referencePrice: reference }),
    ...spendingOf(decision, quote),
  })
}

function spendingOf({ plan }: Decision, quote: string | undefined) {
  const { quoteQuantity } = plan
  if (quoteQuantity === undefined || quote === undefined) return {}
  return { spends: { amount: plain(quoteQuantity), coin: quote } }
}

/** Emits that the venue has an order; one of which no event says that it was sent was sent by an owner that could not emit that. */
export function emitFound(about: About, order: VenueOrder, askedAt: number, emitter: Emitter): void {
  const plan = { ...order, clientOrderId: order.clientOrderId as ClientOrderId }
  emitter.emit({
    kind: 'order.sent',
    ...commandEvent(about, emitter, phaseOf('sent', order.clientOrderId)),
    at: askedAt,
    clientOrderId: plan.clientOrderId,
    side: plan.side,
    quantity: plan.quantity,
  })
  emitAcknowledged(about, order, askedAt, emitter)
}

/** Emits that the venue has an order; it was asked for it at `askedAt`. */
export function emitAcknowledged(
  about: About,
  order: VenueOrder,
  askedAt: number,
  emitter: Emitter,
  source?: 'stream',
): void {
  const { flight } = emitter
  flight.acknowledgedAt = now()
  if (order.updatedAt !== null) flight.venueAt = order.updatedAt
  if (order.status === 'filled') flight.filledAt = now()
  const event = commandEvent(about, emitter, phaseOf('acknowledged', order.clientOrderId))
  emitter.emit({
    kind: 'order.acknowledged',
    ...event,
    ...told(order),
    roundTripMs: elapsedMs(askedAt, now()),
    ...(source !== undefined && { source }),
  })
}

/** Emits how an order ended that was reported as open. */
export function emitEnd(about: About, order: VenueOrder, emitter: Emitter): void {
  if (!isTerminal(order)) return
  // A cancel ends orders of other commands, whose legs may be called the same.
  const phase = (word: string): string =>
    about.type === 'cancel' ? `${word}-${order.venueOrderId}` : phaseOf(word, order.clientOrderId)
  if (order.updatedAt !== null) emitter.flight.venueAt = order.updatedAt
  if (order.status === 'filled') {
    emitter.flight.filledAt = now()
    const event = commandEvent(about, emitter, phase('filled'))
    emitter.emit({ kind: 'order.filled', ...event, ...told(order), fee: order.fee })
  }
  if (order.status !== 'canceled') return
  const event = commandEvent(about, emitter, phase('canceled'))
  emitter.emit({ kind: 'order.canceled', ...event, ...told(order) })
}

/** Emits something that a person should look at, under its code or, where there is none, its name in this command. */
export function emitAlarm(
  about: About,
  alarm: { code: string; text: string } | { name: string; text: string },
  emitter: Emitter,
): void {
  const { text } = alarm
  const [name, code] = 'code' in alarm ? [alarm.code, { code: alarm.code }] : [alarm.name, {}]
  emitter.emit({ kind: 'command.alarm', ...commandEvent(about, emitter, `alarm-${name}`), ...code, text })
}

function told({ clientOrderId, side, quantity, filled, averagePrice, venueOrderId, updatedAt }: VenueOrder) {
  return {
    clientOrderId: clientOrderId as ClientOrderId,
    side,
    quantity,
    filled,
    averagePrice,
    venueOrderId,
    venueAt: updatedAt,
  }
}

/** Events of several orders of one command are told apart by leg and revision. */
function phaseOf(phase: string, clientOrderId: string): string {
  const mark = legMark(clientOrderId)
  return mark === '00' ? phase : `${phase}-${mark}`
}
