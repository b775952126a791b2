import type { BatchMessage } from '@tripline/kit/bus/durable-consumer'
import { answersInTime, refusesValue } from '@tripline/kit/postgres'
import type { Log } from '@tripline/kit/telemetry/log'
import { type ExecutionEvent, eventsIn, partsIn } from '@tripline/proto/event'
import { project } from '../domain/projection.ts'
import type { HistoryMetrics } from '../metrics.ts'
import { saveProjection } from '../store/projection.ts'
import { setAside, type Unstorable } from '../store/set-aside.ts'
import type { Db } from '../store/tables.ts'

/** Attempts for an event that fails for a reason which may pass, before it is set aside. */
const mostAttempts = 8
const longestReason = 500

export interface TakingDeps {
  db: Db
  log: Log
  metrics?: Pick<HistoryMetrics, 'setAside'>
}

interface ReadEvent {
  message: BatchMessage
  /** Which of the events of its message it is. */
  place: number
  event: ExecutionEvent
}

/** Takes batches of the event stream; throws where a batch is to come again. */
export type TakeEvents = (batch: readonly BatchMessage[]) => Promise<void>

/** Projects batches of the event stream; an event that cannot be understood or stored is set aside, and holds up none. */
export function createTakeEvents(deps: TakingDeps): TakeEvents {
  const attempts = new Map<string, number>()
  return async (batch) => {
    const { read, unreadable } = readEvents(batch)
    await setThemAside(deps, unreadable)
    if (read.length > 0) await saveEvents(deps, attempts, read)
    attempts.clear()
  }
}

function readEvents(batch: readonly BatchMessage[]): { read: ReadEvent[]; unreadable: Unstorable[] } {
  const read: ReadEvent[] = []
  const unreadable: Unstorable[] = []
  for (const message of batch) {
    for (const [place, { event, fault }] of eventsIn(message.text, parseStorable).entries()) {
      if (event === undefined) unreadable.push(unstorable({ message, place }, `not understood: ${fault}`))
      else if (event.kind !== 'client.changed') read.push({ message, place, event })
    }
  }
  return { read, unreadable }
}

function unstorable({ message, place }: Pick<ReadEvent, 'message' | 'place'>, reason: string): Unstorable {
  const { sequence, text } = message
  return { sequence, place, text: textOf(text, place), reason: reason.slice(0, longestReason) }
}

/** One event of a message as it came, without those that it came with. */
function textOf(text: string, place: number): string {
  const parts = partsIn(text)
  return parts.length === 1 ? text : JSON.stringify(parts[place])
}

/** NUL and halves of characters are escaped in JSON, if they are in it at all. */
const unstorableEscape = /\\u(?:0000|d[89a-f])/i

/** The JSON, without what Postgres cannot hold in a text: the character NUL and halves of characters. */
function parseStorable(text: string): unknown {
  // Looking at each value takes seven times as long as reading them.
  return unstorableEscape.test(text) ? JSON.parse(text, storable) : JSON.parse(text)
}

function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value
}

/** Stores events together, or where that fails in halves, down to the one that is the reason. */
async function saveEvents(
  deps: TakingDeps,
  attempts: Map<string, number>,
  read: readonly ReadEvent[],
): Promise<void> {
  try {
    await saveProjection(deps.db, project(read.map(({ event }) => event)))
  } catch (error) {
    // A database that is away is no fault of theirs.
    if (!refusesValue(error) && !(await answersInTime(deps.db))) throw error
    const [first, ...others] = read
    if (first === undefined) return
    if (others.length === 0) return await saveNoMore(deps, attempts, first, error)
    const half = Math.ceil(read.length / 2)
    await saveEvents(deps, attempts, read.slice(0, half))
    await saveEvents(deps, attempts, read.slice(half))
  }
}

/** Sets aside an event whose values are refused, or that failed for long while the database answers. */
async function saveNoMore(
  deps: TakingDeps,
  attempts: Map<string, number>,
  event: ReadEvent,
  error: unknown,
): Promise<void> {
  const key = `${event.message.sequence}.${event.place}`
  const count = (attempts.get(key) ?? 0) + 1
  attempts.set(key, count)
  if (!refusesValue(error) && count < mostAttempts) throw error
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown'
  await setThemAside(deps, [unstorable(event, reason)])
}

async function setThemAside({ db, log, metrics }: TakingDeps, events: readonly Unstorable[]): Promise<void> {
  await setAside(db, events)
  for (const { sequence, place, reason } of events) log.error({ sequence, place, reason }, 'event set aside')
  metrics?.setAside.add({}, events.length)
}
