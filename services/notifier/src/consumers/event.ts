import { now } from '@tripline/kit/clock'
import type { BatchMessage } from '@tripline/kit/durable-consumer'
import { StoredEvent } from '@tripline/proto/event'
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
  const notes = batch.flatMap((message) => {
    const event = readEvent(deps, message)
    if (event?.kind === 'command.alarm') deps.onAlarm?.()
    return event === undefined || event.at < oldest
      ? []
      : listOf(noteOf(event, deps.settingsOf(event.userId)))
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

function readEvent({ log }: Needed, { sequence, text }: BatchMessage): StoredEvent | undefined {
  try {
    return StoredEvent.parse(JSON.parse(text))
  } catch (error) {
    log.error({ sequence, cause: error instanceof Error ? error.name : 'unknown' }, 'event not understood')
    return undefined
  }
}
