import { type Bus, store } from '@tripline/kit/bus/bus'
import { readOnce } from '@tripline/kit/bus/stream-reader'
import { CommandResult, CommandStatus } from '@tripline/proto/command-result'
import { EntryNote } from '@tripline/proto/entry-note'
import { diagnosticCodes } from '@tripline/proto/error-code'
import { type ExecutionEvent, partsIn } from '@tripline/proto/event'
import { ExchangeMarket } from '@tripline/proto/exchange'
import { AlertId, BotId, ExecutionId, type UserId } from '@tripline/proto/id'
import { eventFilter } from '@tripline/proto/subject'
import { z } from 'zod'
import type { Hold } from '../domain/sharing/lease.ts'
import { type EmittedEvent, type EventMessage, messagesOf } from './event-message.ts'
import { readStoredValue } from './stored-json.ts'
import { untilStored } from './until-stored.ts'

// Time for which events wait, so that they do not delay the order that they report: a near venue has answered it by then.
const gatherMs = 20
const attemptMs = 500
const inheritedSlackMs = 60_000
/** A resend is as old as what it resends, in whole milliseconds. */
const receiptSlackMs = 1000

/** The events of one alert, stored in the order in which they are emitted; one that was emitted already is not stored again. */
export interface EventLog {
  emit: (event: ExecutionEvent) => void
  /** Settles once every event emitted so far is stored. */
  stored: () => Promise<void>
}

export interface EventLogOptions {
  /**
   * Nothing is stored while the alert is not surely ours: an owner that lost its lease must not emit events of its own beside its
   * successor's.
   */
  hold: () => Hold
  /**
   * Ids of the events that earlier attempts stored, which are not emitted again. Unknown ids make each event a message of
   * its own, of which the stream stores one.
   */
  emittedBefore: ReadonlySet<string> | undefined
  traceparentOf?: ((eventId: string) => string | undefined) | undefined
}

/** Opens the log of one alert, in which events that wait to be stored are stored together. */
export function openEventLog(bus: Bus, { hold, emittedBefore, traceparentOf }: EventLogOptions): EventLog {
  const waiting: EmittedEvent[] = []
  const eventIds = new Set<string>()
  let due: NodeJS.Timeout | undefined
  let storing: Promise<void> | undefined
  const storeWaiting = async (): Promise<void> => {
    // Handed over in their order and all at once: one after the other, each would cost a round trip.
    while (waiting.length > 0) {
      const messages = messagesOf(waiting.splice(0), emittedBefore !== undefined)
      await Promise.all(messages.map(async (message) => await storeMessage(bus, message, hold)))
    }
    storing = undefined
  }
  const start = (): void => {
    clearTimeout(due)
    due = undefined
    if (waiting.length === 0) return
    storing ??= storeWaiting()
    // Callers that wait for it receive its failure; there may be none yet.
    storing.catch(() => undefined)
  }
  return {
    emit: (event) => {
      if (eventIds.has(event.eventId) || emittedBefore?.has(event.eventId)) return
      eventIds.add(event.eventId)
      waiting.push({ event, traceparent: traceparentOf?.(event.eventId) })
      due ??= setTimeout(start, gatherMs)
    },
    stored: async () => {
      start()
      while (storing !== undefined) await storing
    },
  }
}

/** Stores a message, however long the bus is away: the alert that it reports stays in its stream until it is stored. */
async function storeMessage(bus: Bus, message: EventMessage, hold: () => Hold): Promise<void> {
  const { subject, messageId, texts, traceparent } = message
  const payload = texts.length === 1 ? texts.join() : `[${texts.join()}]`
  const options = { messageId, attemptMs, deadlineMs: attemptMs, traceparent }
  await untilStored(bus, hold, async () => await store(bus, subject, payload, options), subject)
}

/** An execution as stored. */
export interface PriorExecution {
  exchange: ExchangeMarket
  /** Results of its commands, in order. */
  outcomes: readonly CommandResult[]
  /** Notes of the commands on their bot's entries, in order. */
  entryNotes: readonly { command: number; note: EntryNote }[]
}

/** Why an alert was refused as a whole. */
const RefusalBefore = z.object({
  errorCode: z.string(),
  error: z.string(),
  botId: BotId.nullable(),
  symbol: z.string().nullable(),
})
export type RefusalBefore = z.infer<typeof RefusalBefore>

interface Story extends PriorExecution {
  outcomes: CommandResult[]
  entryNotes: { command: number; note: EntryNote }[]
}

/**
 * The events that say how something ended, as far as a successor needs them. A command whose result only a newer version
 * can read has ended all the same: left out, it would be done again where the venue shows nothing of it.
 */
const EndingEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('execution.received'),
    executionId: ExecutionId,
    exchange: ExchangeMarket,
    receivedAt: z.number(),
    resentAs: z.string().optional(),
  }),
  z.object({
    kind: z.literal('command.finished'),
    executionId: ExecutionId,
    exchange: ExchangeMarket,
    command: z.number(),
    outcome: CommandResult.extend({
      status: CommandStatus.catch('failed'),
      result: CommandResult.shape.result.catch(null),
    }),
    entryNotes: z.array(EntryNote).catch([]),
  }),
  RefusalBefore.extend({ kind: z.literal('alert.refused'), alertId: AlertId }),
])
type StoredRefusal = Extract<z.infer<typeof EndingEvent>, { kind: 'alert.refused' }>

/** Traces of earlier attempts in the event stream. */
export interface PriorEvents {
  /** Ids of the events of these executions. */
  eventIds: ReadonlySet<string>
  executions: ReadonlyMap<ExecutionId, PriorExecution>
  refusals: ReadonlyMap<AlertId, RefusalBefore>
}

/** Reads what was stored of a user's alerts since this moment (the bus may have another clock). */
export async function readPriorEvents(bus: Bus, userId: UserId, since: number): Promise<PriorEvents> {
  const start = { from: 'time', at: since - inheritedSlackMs } as const
  const executions = new Map<ExecutionId, Story>()
  const refusals = new Map<AlertId, RefusalBefore>()
  /** Executions received before all that is asked for. */
  const earlier = new Set<string>()
  const note = (event: z.infer<typeof EndingEvent>): void => {
    if (event.kind === 'alert.refused') {
      if (isByExecutor(event)) refusals.set(event.alertId, refusalIn(event))
      return
    }
    // A second arrival does not prove that an owner took it up.
    if (event.kind === 'execution.received' && event.resentAs !== undefined) return
    const { executionId, exchange } = event
    if (event.kind === 'execution.received' && event.receivedAt < since - receiptSlackMs)
      earlier.add(executionId)
    if (earlier.has(executionId)) return
    const story = executions.get(executionId) ?? { exchange, outcomes: [], entryNotes: [] }
    executions.set(executionId, story)
    // One that is missing was not stored before the end came; it and what follows is found again at the venue.
    if (event.kind !== 'command.finished' || event.command > story.outcomes.length) return
    story.outcomes[event.command] = event.outcome
    const { command, entryNotes } = event
    story.entryNotes.push(...entryNotes.map((note) => ({ command, note })))
  }
  const eventIds = new Set<string>()
  // Noted one after the other: all of them at once may be more than there is memory.
  await readOnce(bus, { stream: 'EVENTS', filter: eventFilter(userId), start }, ({ text, sequence }) => {
    for (const { eventId, isPassing, part } of markedIn(text)) {
      const event = isPassing ? undefined : readStoredValue(bus, EndingEvent, `EVENTS ${sequence}`, part)
      if (event !== undefined) note(event)
      const isRefusal = event?.kind === 'alert.refused'
      if (eventId !== undefined && !isRefusal && !earlier.has(executionOf(eventId))) eventIds.add(eventId)
    }
  })
  return { eventIds, executions, refusals }
}

/** An event that is known by its id, if nothing else; a passing one does not say how something ended. */
interface Marked {
  eventId: string | undefined
  isPassing: boolean
  part?: unknown
}

const Mark = z.object({ kind: z.string(), eventId: z.string().optional() })

function markedIn(text: string): Marked[] {
  const [, kind] = /^\{"kind":"([a-z.]+)"/.exec(text.slice(0, 40)) ?? []
  // An event of which the id is all that is needed is not parsed; no text of it can look like that.
  if (isPassing(kind)) return [{ eventId: /"eventId":"([^"\\]+)"/.exec(text)?.[1], isPassing: true }]
  return partsIn(text).map((part) => {
    const { kind, eventId } = Mark.safeParse(part).data ?? {}
    return { eventId, isPassing: isPassing(kind), part }
  })
}

function isPassing(kind: string | undefined): boolean {
  return kind !== undefined && !endingKinds.has(kind)
}

function executionOf(eventId: string): string {
  return eventId.slice(0, eventId.indexOf('.'))
}

const endingKinds: ReadonlySet<string> = new Set(['execution.received', 'command.finished', 'alert.refused'])

function refusalIn({ errorCode, error, botId, symbol }: StoredRefusal): RefusalBefore {
  return { errorCode, error, botId, symbol }
}

/** Intake refuses an alert whose storage it could not confirm; it may be in the stream all the same, and is run then. */
function isByExecutor({ errorCode }: StoredRefusal): boolean {
  return errorCode in diagnosticCodes
}
