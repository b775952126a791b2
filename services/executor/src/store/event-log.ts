import { setTimeout as sleep } from 'node:timers/promises'
import { type Bus, store } from '@tripline/kit/bus'
import { readStored } from '@tripline/kit/stream-reader'
import type { CommandResult } from '@tripline/proto/command-result'
import { type ExecutionEvent, StoredEvent } from '@tripline/proto/event'
import type { ExchangeMarket } from '@tripline/proto/exchange'
import type { ExecutionId, UserId } from '@tripline/proto/id'
import { eventFilter, eventSubject } from '@tripline/proto/subject'
import type { Hold } from '../domain/lease.ts'

// Events keep out of the way of the order that they tell of: a near venue has answered it by then.
const gatherMs = 20
const attemptMs = 500
const againMs = 100
const inheritedSlackMs = 60_000

/** The events of one alert, stored in the order in which they are told; one that was told already is not told again. */
export interface EventLog {
  tell: (event: ExecutionEvent) => void
  /** Settles once everything told so far is stored. */
  stored: () => Promise<void>
}

/**
 * Opens the log of one alert. Nothing is stored while the alert is not surely ours: who lost its lease must not tell a
 * story of its own beside its successor's.
 */
export function openEventLog(
  bus: Bus,
  hold: () => Hold,
  traceparentOf?: (eventId: string) => string | undefined,
): EventLog {
  const waiting: ExecutionEvent[] = []
  const told = new Set<string>()
  let due: NodeJS.Timeout | undefined
  let storing: Promise<void> | undefined
  const storeWaiting = async (): Promise<void> => {
    // Handed over in their order and all at once: one after the other, each would cost a round trip.
    while (waiting.length > 0)
      await Promise.all(
        waiting
          .splice(0)
          .map(async (event) => await storeEvent(bus, event, hold, traceparentOf?.(event.eventId))),
      )
    storing = undefined
  }
  const start = (): void => {
    clearTimeout(due)
    due = undefined
    if (waiting.length === 0) return
    storing ??= storeWaiting()
    // Who waits for it hears that it failed; nobody may wait yet.
    storing.catch(() => undefined)
  }
  return {
    tell: (event) => {
      if (told.has(event.eventId)) return
      told.add(event.eventId)
      waiting.push(event)
      due ??= setTimeout(start, gatherMs)
    },
    stored: async () => {
      start()
      while (storing !== undefined) await storing
    },
  }
}

/** Stores one event, however long the bus is away: the alert it tells of stays in its stream until it is stored. */
async function storeEvent(
  bus: Bus,
  event: ExecutionEvent,
  hold: () => Hold,
  traceparent: string | undefined,
): Promise<void> {
  const subject = eventSubject(event.userId, event.botId)
  const options = { messageId: event.eventId, attemptMs, deadlineMs: attemptMs, traceparent }
  let isFailing = false
  for (;;) {
    try {
      if (hold() === 'held') return void (await store(bus, subject, JSON.stringify(event), options))
    } catch (error) {
      if (bus.connection.isClosed()) throw error
      if (!isFailing) bus.log.error({ err: error, eventId: event.eventId }, 'event not stored yet')
      isFailing = true
    }
    if (bus.connection.isClosed() || hold() === 'gone') throw new Error(`${subject} was not stored in time`)
    await sleep(againMs)
  }
}

/** What is stored of an execution. */
export interface StoredStory {
  exchange: ExchangeMarket
  /** How its commands ended, in order. */
  outcomes: readonly CommandResult[]
}
/** What earlier attempts left in the event stream, by execution. */
export type StoredStories = ReadonlyMap<ExecutionId, StoredStory>

/** Reads what was stored of a user's alerts since this moment (the bus may have another clock). */
export async function readStoredStories(bus: Bus, userId: UserId, since: number): Promise<StoredStories> {
  const start = { from: 'time', at: since - inheritedSlackMs } as const
  const messages = await readStored(bus, { stream: 'EVENTS', filter: eventFilter(userId), start })
  const stories = new Map<ExecutionId, { exchange: ExchangeMarket; outcomes: CommandResult[] }>()
  for (const { text } of messages) {
    const event = StoredEvent.parse(JSON.parse(text))
    if (event.kind !== 'execution.received' && event.kind !== 'command.finished') continue
    const { executionId, exchange } = event
    const story = stories.get(executionId) ?? { exchange, outcomes: [] }
    stories.set(executionId, story)
    // One that is missing was not stored before the end came; it and what follows is found again at the venue.
    if (event.kind !== 'command.finished' || event.command > story.outcomes.length) continue
    story.outcomes[event.command] = event.outcome
  }
  return stories
}
