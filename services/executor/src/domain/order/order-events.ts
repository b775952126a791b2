import { legMark } from '@tripline/proto/client-order-id'
import { plain } from '@tripline/proto/decimal'
import { elapsedMs } from '@tripline/proto/elapsed'
import { type ExecutionEvent, eventIdOf } from '@tripline/proto/event'
import type { ExchangeMarket } from '@tripline/proto/exchange'
import type { AlertId, BotId, ClientOrderId, ExecutionId, UserId } from '@tripline/proto/id'
import type { Decision } from './attempt.ts'
import type { VenueOrder } from './order.ts'

/** Name and place of an execution, as every event of it says. */
export interface Identity {
  userId: UserId
  alertId: AlertId
  executionId: ExecutionId
  botId: BotId
  label: string
  exchange: ExchangeMarket
  symbol: string
}

/** Place of a command in its execution, and its type. */
export interface About {
  command: number
  type: string
}

/** Execution of an event, and when it happened. */
export interface EventScene {
  identity: Identity
  at: number
}

/** The same with its command. */
export interface CommandScene extends EventScene {
  about: About
}

/** Returns the common fields of a command's events; the same phase has the same id in every attempt. */
export function commandEvent(
  { identity, about: { command, type }, at }: CommandScene,
  phase: string,
): Identity & About & { eventId: string; at: number } {
  return { ...identity, eventId: eventIdOf(identity.executionId, command, phase), at, command, type }
}

/** An order went out; `quote` is the coin that a buy by value spends, needed where there may be one. */
export function orderSent(
  scene: CommandScene,
  { plan, reference }: Decision,
  { sentAt, epoch }: { sentAt: number; epoch?: number | undefined },
  quote?: string,
): ExecutionEvent {
  const { clientOrderId, side, quantity, quoteQuantity } = plan
  const spends = quoteQuantity !== undefined && quote !== undefined
  return {
    kind: 'order.sent',
    ...commandEvent(scene, phaseOf('sent', clientOrderId)),
    at: sentAt,
    clientOrderId,
    side,
    quantity: plain(quantity),
    ...(reference !== undefined && { referencePrice: reference }),
    ...(spends && { spends: { amount: plain(quoteQuantity), coin: quote } }),
    ...(epoch !== undefined && { epoch }),
  }
}

/** The venue has an order; one of which no event says that it was sent was sent by an owner that could not emit that. */
export function orderFound(scene: CommandScene, order: VenueOrder, askedAt: number): ExecutionEvent[] {
  const { clientOrderId, side, quantity } = stateOf(order)
  const event = commandEvent(scene, phaseOf('sent', clientOrderId))
  return [
    { kind: 'order.sent', ...event, at: askedAt, clientOrderId, side, quantity },
    orderAcknowledged(scene, order, askedAt),
  ]
}

/** The venue has an order; it was asked for it at `askedAt`. */
export function orderAcknowledged(
  scene: CommandScene,
  order: VenueOrder,
  askedAt: number,
  source?: 'stream',
): ExecutionEvent {
  return {
    kind: 'order.acknowledged',
    ...commandEvent(scene, phaseOf('acknowledged', order.clientOrderId)),
    ...stateOf(order),
    roundTripMs: elapsedMs(askedAt, scene.at),
    ...(source !== undefined && { source }),
  }
}

/** An order ended that was reported as open; the event of its command covers one that expired or was rejected. */
export function orderEnded(scene: CommandScene, order: VenueOrder): ExecutionEvent[] {
  const { status, clientOrderId, venueOrderId, fee } = order
  if (status !== 'filled' && status !== 'canceled') return []
  // A cancel ends orders of other commands, whose legs may be called the same.
  const isOfOthers = scene.about.type === 'cancel'
  const event = commandEvent(scene, isOfOthers ? `${status}-${venueOrderId}` : phaseOf(status, clientOrderId))
  return status === 'filled'
    ? [{ kind: 'order.filled', ...event, ...stateOf(order), fee }]
    : [{ kind: 'order.canceled', ...event, ...stateOf(order) }]
}

/** Something that a person should look at, under its code or, where there is none, its name in this command. */
export function alarmEvent(
  scene: CommandScene,
  { text, name, code }: { text: string; name?: string; code?: string },
): ExecutionEvent {
  const event = commandEvent(scene, `alarm-${code ?? name}`)
  return { kind: 'command.alarm', ...event, ...(code !== undefined && { code }), text }
}

function stateOf({
  clientOrderId,
  side,
  quantity,
  filled,
  averagePrice,
  venueOrderId,
  updatedAt,
}: VenueOrder) {
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

/** Events of several orders of one command are distinguished by leg and revision. */
function phaseOf(phase: string, clientOrderId: string): string {
  const mark = legMark(clientOrderId)
  return mark === '00' ? phase : `${phase}-${mark}`
}
