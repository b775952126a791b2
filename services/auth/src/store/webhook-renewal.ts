import type { UserId } from '@tripline/proto/id'
import { v7 as newId } from 'uuid'
import { type Db, toIso } from './database.ts'

/** A webhook that is to get a new address. */
export interface WebhookRenewal {
  id: string
  userId: UserId
}

/** Keeps a renewal to be asked for, in the transaction that decides on it. */
export async function insertRenewal(db: Db, userId: UserId, dueAt: number): Promise<WebhookRenewal> {
  const id = newId()
  await db
    .insertInto('webhook_renewal')
    .values({ id, user_id: userId, due_at: toIso(dueAt) })
    .execute()
  return { id, userId }
}

/** Takes the renewal that is due for longest; until the moment nobody else takes it. */
export async function takeRenewal(
  db: Db,
  now: number,
  takenUntil: number,
): Promise<WebhookRenewal | undefined> {
  const row = await db
    .updateTable('webhook_renewal')
    .set({ due_at: toIso(takenUntil) })
    .where('id', '=', (renewal) =>
      renewal
        .selectFrom('webhook_renewal')
        .select('id')
        .where('due_at', '<=', toIso(now))
        .orderBy('due_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'user_id'])
    .executeTakeFirst()
  return row && { id: row.id, userId: row.user_id }
}

/** Forgets a renewal that is done; false where it was forgotten already. */
export async function deleteRenewal(db: Db, id: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('webhook_renewal')
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}
