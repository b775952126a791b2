import { now } from '@tripline/kit/clock'
import type { BatchMessage } from '@tripline/kit/durable-consumer'
import { eventsIn, type StoredEvent } from '@tripline/proto/event'
import type { Deps } from '../deps.ts'
import { type Note, noteOf } from '../domain/note.ts'
import { keepNotes } from '../store/note.ts'

interface Needed extends Pick<Deps, 'config' | 'db' | 'log' | 'settingsOf'> {
  /** Called for each alarm of a command, whoever wants to be told. */
  onAlarm?: () => void
}

/** Keeps what users want to be told of a batch of events; what is too old or cannot be understood is left out. */
export async function takeEvents(deps: Needed, batch: readonly BatchMessage[]): Promise<void> {
  const { db, config } = deps
  const at = now()
  const oldest = at - config.NOTE_LIFE_MINUTES * 60_000
  const events = batch.flatMap((message) => readEvents(deps, message))
  const notes = events.flatMap((event) => {
    if (event.kind === 'command.alarm') deps.onAlarm?.()
    return event.at < oldest ? [] : listOf(noteOf(event, deps.settingsOf(event.userId)))
  })
  if (notes.length === 0) return
  await keepNotes(db, notes, {
    now: new Date(at).toISOString(),
    dueAt: new Date(at + config.GATHER_MS).toISOString(),
    mostWaiting: config.NOTES_PER_USER,
  })
}

function listOf(note: Note | undefined): Note[] {
  return note === undefined ? [] : [note]
}

function readEvents({ log }: Needed, { sequence, text }: BatchMessage): StoredEvent[] {
  return eventsIn(text).flatMap(({ event, fault }, place) => {
    if (event !== undefined) return [event]
    log.error({ sequence, place, fault }, 'event not understood')
    return []
  })
}
