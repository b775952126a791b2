import type { UserId } from '@tripline/proto/id'
import { sql } from 'kysely'
import type { Note } from '../domain/note.ts'
import type { Db } from './tables.ts'

/** A note that waits to be sent. */
export type WaitingNote = Pick<Note, 'id' | 'html'>

export interface StoreOptions {
  /** When notes that are new are to be sent; urgent ones are at once. */
  dueAt: string
  now: string
  /** Notes that may wait for one user; the oldest are left out. */
  mostWaiting: number
}

/** Stores notes until they are sent; one that was stored before is stored once. */
export async function keepNotes(db: Db, notes: readonly Note[], options: StoreOptions): Promise<void> {
  await db.transaction().execute(async (changing) => {
    const rows = notes.map(({ id, userId, html }) => {
      return { id, user_id: userId, html, created_at: options.now, sent_at: null }
    })
    const inserted = await changing
      .insertInto('note')
      .values(rows.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning(['id', 'user_id'])
      .execute()
    // In one order, so that replicas do not wait for each other in a circle.
    const users = [...new Set(inserted.map((row) => row.user_id))].toSorted()
    const insertedIds = new Set(inserted.map((row) => row.id))
    const inHaste = new Set(
      notes.filter(({ id, isUrgent }) => isUrgent && insertedIds.has(id)).map((note) => note.userId),
    )
    for (const userId of users) {
      await planDelivery(changing, userId, options)
      if (inHaste.has(userId)) await hastenDelivery(changing, userId, options.now)
    }
  })
}

async function planDelivery(db: Db, userId: UserId, { dueAt, mostWaiting }: StoreOptions): Promise<void> {
  await db
    .insertInto('delivery')
    .values({ user_id: userId, due_at: dueAt })
    // One that is due already, or waits after a failure, is not moved.
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ due_at: sql<string>`coalesce(delivery.due_at, excluded.due_at)` }),
    )
    .execute()
  const leftOut = await removeOldest(db, userId, mostWaiting)
  if (leftOut === 0) return
  await db
    .updateTable('delivery')
    .set({ left_out: sql<number>`left_out + ${leftOut}` })
    .where('user_id', '=', userId)
    .execute()
}

/** Makes what waits for a user due now, unless it waits because it failed. */
async function hastenDelivery(db: Db, userId: UserId, now: string): Promise<void> {
  await db
    .updateTable('delivery')
    .set({ due_at: now })
    .where('user_id', '=', userId)
    .where('attempts', '=', 0)
    .execute()
}

async function removeOldest(db: Db, userId: UserId, mostWaiting: number): Promise<number> {
  const tooMany = db
    .selectFrom('note')
    .select('id')
    .where('user_id', '=', userId)
    .where('sent_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(mostWaiting)
  const removed = await db.deleteFrom('note').where('id', 'in', tooMany).returning('id').execute()
  return removed.length
}

/** The oldest notes that wait for a user and are not older than this. */
export async function listWaiting(
  db: Db,
  userId: UserId,
  { since, limit }: { since: string; limit: number },
): Promise<WaitingNote[]> {
  return await db
    .selectFrom('note')
    .select(['id', 'html'])
    .where('user_id', '=', userId)
    .where('sent_at', 'is', null)
    .where('created_at', '>=', since)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Notes that these were sent; their text is not needed any more. */
export async function noteSent(db: Db, ids: readonly string[], at: string): Promise<void> {
  if (ids.length === 0) return
  await db.updateTable('note').set({ sent_at: at, html: '' }).where('id', 'in', ids).execute()
}

/** Returns when the last of a user's notes was sent, and how many wait, of those whose ids begin so or are one of these. */
export async function findNotes(
  db: Db,
  userId: UserId,
  { prefix, ids }: { prefix: string; ids: readonly string[] },
): Promise<{ sentAt: string | null; waiting: number }> {
  const row = await db
    .selectFrom('note')
    .select(({ fn }) => [
      fn.max('sent_at').as('sent_at'),
      sql<number>`(count(*) filter (where sent_at is null))::integer`.as('waiting'),
    ])
    .where('user_id', '=', userId)
    .where(({ or, eb }) =>
      or([eb('id', 'like', `${prefix}%`), ...(ids.length > 0 ? [eb('id', 'in', ids)] : [])]),
    )
    .executeTakeFirstOrThrow()
  return { sentAt: row.sent_at, waiting: row.waiting }
}

/** Removes everything that waits for a user. */
export async function removeWaiting(db: Db, userId: UserId): Promise<void> {
  await db.deleteFrom('note').where('user_id', '=', userId).where('sent_at', 'is', null).execute()
}

/** Removes what was sent before a moment, and what has waited since before another. */
export async function removeOlder(
  db: Db,
  { waitingSince, sentBefore }: { waitingSince: string; sentBefore: string },
): Promise<void> {
  await db
    .deleteFrom('note')
    .where('created_at', '<', waitingSince)
    .where((row) => row.or([row('sent_at', 'is', null), row('sent_at', '<', sentBefore)]))
    .execute()
}
