import { type Db, toIso } from './database.ts'

/** Puts an email on the waitlist; false when it is there already, in any spelling of upper and lower case. */
export async function insertWaiting(db: Db, email: string, joinedAt: number): Promise<boolean> {
  const inserted = await db
    .insertInto('waitlist')
    .values({ email, joined_at: toIso(joinedAt) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('email')
    .executeTakeFirst()
  return inserted !== undefined
}
