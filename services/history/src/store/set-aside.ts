import { now } from '@tripline/kit/time/clock'
import { timeOf } from './moment.ts'
import type { Db } from './tables.ts'

/** An event that cannot be stored as others are, and why. */
export interface Unstorable {
  sequence: number
  /** Which of the events of its message it is. */
  place: number
  text: string
  reason: string
}

/** Stores events as they came; one that was stored before is stored once. */
export async function setAside(db: Db, events: readonly Unstorable[]): Promise<void> {
  if (events.length === 0) return
  const at = timeOf(now())
  await db
    .insertInto('set_aside')
    .values(events.map(({ text, ...event }) => ({ ...event, event: Buffer.from(text), at })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Forgets those from this place of the stream on: they are read again. */
export async function forgetSetAside(db: Db, from: number): Promise<void> {
  await db.deleteFrom('set_aside').where('sequence', '>=', from).execute()
}
