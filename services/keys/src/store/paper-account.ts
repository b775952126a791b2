import type { UserId } from '@tripline/proto/id'
import { sql } from 'kysely'
import type { Db } from './database.ts'

const dayMs = 86_400_000

/** Counts one more Paper account of a user, unless so many were opened in the last 24 hours; returns whether it may be. */
export async function countPaperAccount(
  db: Db,
  userId: UserId,
  at: number,
  perDay: number,
): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    // Requests of one user come one after another.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`paper ${userId}`}, 0))`.execute(transaction)
    await transaction
      .deleteFrom('paper_account')
      .where('user_id', '=', userId)
      .where('opened_at', '<', new Date(at - dayMs).toISOString())
      .execute()
    const { opened } = await transaction
      .selectFrom('paper_account')
      .select(({ fn }) => fn.countAll<number>().as('opened'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    if (opened >= perDay) return false
    await transaction
      .insertInto('paper_account')
      .values({ user_id: userId, opened_at: new Date(at).toISOString() })
      .execute()
    return true
  })
}
