import { now } from '@tripline/kit/clock'
import { legMark } from '@tripline/proto/client-order-id'
import { plain } from '@tripline/proto/decimal'
import { elapsedMs } from '@tripline/proto/elapsed'
import type { ExecutionEvent, Flight } from '@tripline/proto/event'
import { eventIdOf } from '@tripline/proto/event'
import type { ExchangeMarket } from '@tripline/proto/exchange'
import type { AlertId, BotId, ClientOrderId, ExecutionId, UserId } from '@tripline/proto/id'
import type { Decision } from './domain/attempt.ts'
import type { Execution } from './domain/execution-state.ts'
import { isTerminal, type VenueOrder } from './domain/order.ts'

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

/** Whose story is told, and to whom. */
export interface Teller {
  identity: Identity
  tell: (event: ExecutionEvent) => void
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

/** What every event of a command says. */
export function commandEvent(
  { command, type }: About,
  { identity }: Pick<Teller, 'identity'>,
  phase: string,
): Identity & About & { eventId: string; at: number } {
  return { ...identity, eventId: eventIdOf(identity.executionId, command, phase), at: now(), command, type }
}

/** Tells that the command began, if nobody has yet. */
export function tellStart(about: About, teller: Teller): void {
  teller.tell({ kind: 'command.started', ...commandEvent(about, teller, 'started') })
}

/** Tells that an order went out; `quote` is the coin that a buy by value spends, needed where there may be one. */
export function tellSent(about: About, decision: Decision, at: number, teller: Teller, quote?: string): void {
  const { plan, reference } = decision
  const { clientOrderId, side, quantity } = plan
  teller.flight.sentAt = at
  teller.tell({
    kind: 'order.sent',
    ...commandEvent(about, teller, phaseOf('sent', clientOrderId)),
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

/** Tells that the venue has an order; one that nobody told was sent was sent by somebody who could not tell. */
export function tellFound(about: About, order: VenueOrder, askedAt: number, teller: Teller): void {
  const plan = { ...order, clientOrderId: order.clientOrderId as ClientOrderId }
  teller.tell({
    kind: 'order.sent',
    ...commandEvent(about, teller, phaseOf('sent', order.clientOrderId)),
    at: askedAt,
    clientOrderId: plan.clientOrderId,
    side: plan.side,
    quantity: plan.quantity,
  })
  tellAcknowledged(about, order, askedAt, teller)
}

/** Tells that the venue has an order; it was asked for it at `askedAt`. */
export function tellAcknowledged(
  about: About,
  order: VenueOrder,
  askedAt: number,
  teller: Teller,
  source?: 'stream',
): void {
  const { flight } = teller
  flight.acknowledgedAt = now()
  if (order.updatedAt !== null) flight.venueAt = order.updatedAt
  if (order.status === 'filled') flight.filledAt = now()
  const event = commandEvent(about, teller, phaseOf('acknowledged', order.clientOrderId))
  teller.tell({
    kind: 'order.acknowledged',
    ...event,
    ...told(order),
    roundTripMs: elapsedMs(askedAt, now()),
    ...(source !== undefined && { source }),
  })
}

/** Tells how an order ended that was told to be open. */
export function tellEnd(about: About, order: VenueOrder, teller: Teller): void {
  if (!isTerminal(order)) return
  // What a cancel ends are orders of other commands, whose legs may be called the same.
  const phase = (word: string): string =>
    about.type === 'cancel' ? `${word}-${order.venueOrderId}` : phaseOf(word, order.clientOrderId)
  if (order.updatedAt !== null) teller.flight.venueAt = order.updatedAt
  if (order.status === 'filled') {
    teller.flight.filledAt = now()
    const event = commandEvent(about, teller, phase('filled'))
    teller.tell({ kind: 'order.filled', ...event, ...told(order), fee: order.fee })
  }
  if (order.status !== 'canceled') return
  const event = commandEvent(about, teller, phase('canceled'))
  teller.tell({ kind: 'order.canceled', ...event, ...told(order) })
}

/** Tells something that a person should look at, under its code or, where there is none, its name in this command. */
export function tellAlarm(
  about: About,
  alarm: { code: string; text: string } | { name: string; text: string },
  teller: Teller,
): void {
  const { text } = alarm
  const [name, code] = 'code' in alarm ? [alarm.code, { code: alarm.code }] : [alarm.name, {}]
  teller.tell({ kind: 'command.alarm', ...commandEvent(about, teller, `alarm-${name}`), ...code, text })
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
