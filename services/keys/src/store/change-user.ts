import type { UserId } from '@tripline/proto/id'
import { sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * Changes a user's state and raises its version, in one transaction. Changes of one user come one after another; one
 * that throws leaves everything as it was.
 */
export async function changeUser<Value>(
  db: Db,
  userId: UserId,
  change: (db: Db) => Promise<Value>,
): Promise<Value> {
  return await db.transaction().execute(async (transaction) => {
    await raiseVersion(transaction, userId)
    return await change(transaction)
  })
}

async function raiseVersion(db: Db, userId: UserId): Promise<void> {
  await db
    .insertInto('user_config')
    .values({ user_id: userId, version: 1, published_version: 0 })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ version: sql<number>`user_config.version + 1` }),
    )
    .execute()
}
