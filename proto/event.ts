import { z } from 'zod'
import { Moment, OverallStatus } from './alert.ts'
import { CommandResult } from './command-result.ts'
import { DecimalText } from './decimal.ts'
import { EntryNote } from './entry-note.ts'
import { ExchangeMarket } from './exchange.ts'
import { AlertId, BotId, ClientOrderId, ExecutionId, UserId } from './id.ts'

const subject = {
  /** `<execution>.<command>.<phase>`, the message id and the key under which a projection upserts. */
  eventId: z.string(),
  at: Moment,
  userId: UserId,
  alertId: AlertId,
}

const execution = {
  ...subject,
  executionId: ExecutionId,
  botId: BotId,
  label: z.string(),
  exchange: ExchangeMarket,
  symbol: z.string(),
}

/** The body as it was received, where the message is not the whole of it. */
const Body = z.string().exactOptional()

/** The alert came at a close-only address; absent where it did not. */
const IsCloseOnly = z.boolean().exactOptional()

const command = { ...execution, command: z.int().nonnegative(), type: z.string() }

/** When what happened on the way of a command, where it did; the last order's where there are several. */
const Flight = z
  .object({
    receivedAt: Moment,
    durableAt: Moment,
    pickedUpAt: Moment,
    resolvedAt: Moment,
    sentAt: Moment,
    acknowledgedAt: Moment,
    filledAt: Moment,
    /** When the order last changed, by the venue's clock, and by how many ms that is ahead of ours. */
    venueAt: Moment,
    clockAheadMs: z.number(),
  })
  .partial()
export type Flight = z.infer<typeof Flight>

const order = {
  ...command,
  clientOrderId: ClientOrderId,
  side: z.enum(['buy', 'sell']),
  quantity: DecimalText,
}

const venueOrder = {
  ...order,
  venueOrderId: z.string(),
  filled: DecimalText,
  averagePrice: DecimalText.nullable(),
  /** When the venue says that it happened, by its own clock. */
  venueAt: Moment.nullable().optional(),
}

/**
 * An event of an alert, as it lies in the `EVENTS` stream; one market order gives the first six kinds in this order.
 */
export const ExecutionEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('execution.received'),
    ...execution,
    /** The whole alert, in the first of its executions that is published; empty, and without a body, in the others. */
    message: z.string(),
    body: Body,
    isCloseOnly: IsCloseOnly,
    receivedAt: Moment,
    commands: z.array(z.object({ type: z.string(), params: z.record(z.string(), z.string()) })),
    /**
     * Set where the body came again while nobody had its answer, and was taken for a resend of this alert; the message is
     * empty then, and there are no commands. Readers that do not know it see an execution received twice.
     */
    resentAs: AlertId.optional(),
  }),
  z.object({ kind: z.literal('command.started'), ...command }),
  z.object({
    kind: z.literal('order.sent'),
    ...order,
    /** The market's price when the order was sized, or within the second before; absent if nobody looked. */
    referencePrice: DecimalText.optional(),
    /** The spending of a buy by value, in the quote coin; its quantity is 0, since the exchange works it out. */
    spends: z.object({ amount: DecimalText, coin: z.string() }).exactOptional(),
    /** The epoch of the user's partition under which it was sent; none of a version that knows no epochs. */
    epoch: z.number().int().exactOptional(),
  }),
  z.object({
    kind: z.literal('order.acknowledged'),
    ...venueOrder,
    roundTripMs: z.number().nonnegative(),
    /** Source of the report, where that was not the answer to the request. */
    source: z.literal('stream').optional(),
  }),
  z.object({
    kind: z.literal('command.finished'),
    ...command,
    outcome: CommandResult,
    flight: Flight.optional(),
    /** The effect on the bot's entries: an owner that goes on behind it counts that, too. */
    entryNotes: z.array(EntryNote).exactOptional(),
  }),
  z.object({
    kind: z.literal('execution.finished'),
    ...execution,
    status: OverallStatus,
    totalMs: z.number(),
  }),
  z.object({ kind: z.literal('command.unknown'), ...command, cause: z.string() }),
  z.object({
    kind: z.literal('order.filled'),
    ...venueOrder,
    fee: z.object({ amount: DecimalText, coin: z.string() }).nullable(),
  }),
  z.object({ kind: z.literal('order.canceled'), ...venueOrder }),
  z.object({ kind: z.literal('command.waiting'), ...command, wakeAt: Moment }),
  /** Something of high priority: a person should look. The code is one of the catalogue, where there is one for it. */
  z.object({ kind: z.literal('command.alarm'), ...command, code: z.string().optional(), text: z.string() }),
  /** The outcome of a command that was given up as unknown, found out later. */
  z.object({ kind: z.literal('command.amended'), ...command, outcome: CommandResult }),
  /** A change of a group of orders of which one ends the others. */
  z.object({ kind: z.literal('group.changed'), ...command, text: z.string() }),
  z.object({
    kind: z.literal('alert.refused'),
    ...subject,
    botId: BotId.nullable(),
    label: z.string().nullable(),
    symbol: z.string().nullable(),
    exchange: ExchangeMarket.nullable(),
    message: z.string(),
    body: Body,
    isCloseOnly: IsCloseOnly,
    receivedAt: Moment,
    errorCode: z.string(),
    error: z.string(),
    /**
     * Set if nothing was refused, and the text says how much of a quota is spent; there is no message and no bot.
     * Readers that do not know it see an alert refused.
     */
    notice: z.literal('quota').exactOptional(),
  }),
])
export type ExecutionEvent = z.infer<typeof ExecutionEvent>

/**
 * A change of a bot's client: it is `warm` and can trade, its exchange is `unreachable` so far, its private stream is
 * lost (`reconnecting`) or back (`live`), or it is `removed`.
 */
export const ClientEvent = z.object({
  kind: z.literal('client.changed'),
  eventId: z.string(),
  at: Moment,
  userId: UserId,
  botId: BotId,
  label: z.string(),
  exchange: ExchangeMarket,
  state: z.enum(['warm', 'unreachable', 'reconnecting', 'live', 'removed']),
  /** The time until it was warm. */
  tookMs: z.number().nonnegative().optional(),
  /** Reason why it is `unreachable` until its owner acts, and what to do. */
  problem: z.string().optional(),
})
export type ClientEvent = z.infer<typeof ClientEvent>

/** Everything that lies in the `EVENTS` stream. */
export const StoredEvent = z.discriminatedUnion('kind', [...ExecutionEvent.options, ClientEvent])
export type StoredEvent = z.infer<typeof StoredEvent>

/**
 * A message of the `EVENTS` stream: one event, or several of one subject in their order, which were waiting together to be
 * stored.
 */
export const StoredEvents = z.union([StoredEvent, z.array(StoredEvent).min(1)])

/** One part of a message of the `EVENTS` stream: an event, or why it is not understood. */
export type EventPart = { event: StoredEvent; fault?: never } | { event?: never; fault: string }

/** Returns everything that a message of the `EVENTS` stream holds, in its order; a fault in one event costs no other one. */
export function eventsIn(text: string, parse: (text: string) => unknown = parseJson): readonly EventPart[] {
  return partsIn(text, parse).map((part) => {
    const { data: event, error } = StoredEvent.safeParse(part)
    if (event !== undefined) return { event }
    const faults = error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    return { fault: faults?.join(', ') ?? '' }
  })
}

/** Returns the parts of a message of the `EVENTS` stream, for readers with a schema of their own; undefined is what is no JSON. */
export function partsIn(text: string, parse: (text: string) => unknown = parseJson): readonly unknown[] {
  try {
    const value = parse(text)
    return Array.isArray(value) ? value : [value]
  } catch {
    return [undefined]
  }
}

function parseJson(text: string): unknown {
  return JSON.parse(text)
}

/** The id of an event; the same happening has the same id in every attempt. */
export function eventIdOf(executionId: ExecutionId | AlertId, command: number | '-', phase: string): string {
  return `${executionId}.${command}.${phase}`
}
