import type { BatchMessage } from '@tripline/kit/durable-consumer'
import type { Log } from '@tripline/kit/log'
import { refusesValue } from '@tripline/kit/postgres'
import { type ExecutionEvent, StoredEvent } from '@tripline/proto/event'
import { project } from '../domain/projection.ts'
import { saveProjection } from '../store/projection.ts'
import type { Db } from '../store/tables.ts'

interface ReadEvent {
  sequence: number
  event: ExecutionEvent
}

/** Projects a batch of the event stream; what cannot be understood or stored is logged and left out. */
export async function takeEvents(db: Db, log: Log, batch: readonly BatchMessage[]): Promise<void> {
  const read = batch.flatMap((message) => readEvent(log, message))
  if (read.length > 0) await saveEvents(db, log, read)
}

function readEvent(log: Log, { sequence, text }: BatchMessage): ReadEvent[] {
  const parsed = StoredEvent.safeParse(parseStorable(text))
  if (parsed.success) {
    const { data: event } = parsed
    return event.kind === 'client.changed' ? [] : [{ sequence, event }]
  }
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  log.error({ sequence, faults }, 'event not understood, left out')
  return []
}

/** The JSON, without what Postgres cannot hold in a text: the character NUL and halves of characters. */
function parseStorable(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown) =>
      typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value,
    )
  } catch {
    return undefined
  }
}

async function saveEvents(db: Db, log: Log, read: readonly ReadEvent[]): Promise<void> {
  try {
    await saveProjection(db, project(read.map(({ event }) => event)))
  } catch (error) {
    if (!refusesValue(error)) throw error
    await saveEach(db, log, read, error)
  }
}

/** Keeps one event that cannot be stored from holding up the others of its batch. */
async function saveEach(db: Db, log: Log, read: readonly ReadEvent[], cause: unknown): Promise<void> {
  const [first, ...others] = read
  if (first !== undefined && others.length === 0) {
    log.error({ err: cause, sequence: first.sequence, eventId: first.event.eventId }, 'event left out')
    return
  }
  for (const one of read) await saveEvents(db, log, [one])
}
