import type { BatchMessage } from '@tripline/kit/bus/durable-consumer'
import { now } from '@tripline/kit/time/clock'
import { eventsIn, type StoredEvent } from '@tripline/proto/event'
import { UserId } from '@tripline/proto/id'
import type { Deps } from '../deps.ts'
import { isOn, type Note, noteOf } from '../domain/note.ts'
import { keepNotes } from '../store/note.ts'

// Alarms are counted also for users who want no messages.
const alarmMark = '"command.alarm"'

interface Needed extends Pick<Deps, 'config' | 'db' | 'log' | 'settingsOf'> {
  /** Called for each alarm of a command, for any user. */
  onAlarm?: () => void
}

/**
 * Stores the notes that users want of a batch of events; events that are too old or cannot be understood are left out.
 */
export async function takeEvents(deps: Needed, batch: readonly BatchMessage[]): Promise<void> {
  const { db, config } = deps
  const at = now()
  const oldest = at - config.NOTE_LIFE_MINUTES * 60_000
  const events = batch
    .filter((message) => isOfUse(deps, message))
    .flatMap((message) => readEvents(deps, message))
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

/** True for an event of which somebody may be notified, or that counts: most are of users who want no messages. */
function isOfUse({ settingsOf }: Needed, { subject, text }: BatchMessage): boolean {
  const userId = UserId.safeParse(subject.split('.')[1]).data
  return userId === undefined || isOn(settingsOf(userId)) || text.includes(alarmMark)
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
