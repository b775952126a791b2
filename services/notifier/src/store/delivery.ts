import type { UserId } from '@tripline/proto/id'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** A user's delivery that is in this replica's hands for a while. */
export interface Claim {
  userId: UserId
  /** The number of attempts in a row that have failed. */
  attempts: number
  /** The number of notes that were left out since the last message. */
  leftOut: number
}

/** Takes deliveries that are due and that nobody has claimed. */
export async function claimDue(
  db: Db,
  { now, until, limit }: { now: string; until: string; limit: number },
): Promise<Claim[]> {
  const due = db
    .selectFrom('delivery')
    .select('user_id')
    .where('due_at', '<=', now)
    .where((row) => row.or([row('claimed_until', 'is', null), row('claimed_until', '<=', now)]))
    .orderBy('due_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
  const rows = await db
    .updateTable('delivery')
    .set({ claimed_until: until })
    .where('user_id', 'in', due)
    .returning(['user_id', 'attempts', 'left_out'])
    .execute()
  return rows.map((row) => ({ userId: row.user_id, attempts: row.attempts, leftOut: row.left_out }))
}

/** Leaves a failure to be seen that came after this moment, and forgets an earlier one. */
function failureAfter(moment: string) {
  const isLater = sql<boolean>`last_error_at > ${moment}::timestamptz`
  return {
    last_error: sql<string | null>`case when ${isLater} then last_error end`,
    last_error_at: sql<string | null>`case when ${isLater} then last_error_at end`,
  }
}

/**
 * Gives a delivery back after a message that was begun at a moment; it is due again at the next one if more waits. A test
 * message may have failed meanwhile.
 */
export async function releaseDelivered(
  db: Db,
  claim: Claim,
  { begunAt, nextAt }: { begunAt: string; nextAt: string },
): Promise<void> {
  await db.transaction().execute(async (changing) => {
    // First the row: a process that stores a note changes it too, so that none is overlooked.
    const own = changing.selectFrom('delivery').select('user_id').where('user_id', '=', claim.userId)
    await own.forUpdate().execute()
    const waiting = await changing
      .selectFrom('note')
      .select('id')
      .where('user_id', '=', claim.userId)
      .where('sent_at', 'is', null)
      .limit(1)
      .execute()
    await changing
      .updateTable('delivery')
      .set({
        due_at: waiting.length > 0 ? nextAt : null,
        claimed_until: null,
        attempts: 0,
        left_out: sql<number>`left_out - ${claim.leftOut}`,
        ...failureAfter(begunAt),
      })
      .where('user_id', '=', claim.userId)
      .execute()
  })
}

/** Gives a delivery back after a failure: why, and when to try again. */
export async function releaseFailed(
  db: Db,
  userId: UserId,
  failure: { error: string; at: string; retryAt: string },
): Promise<void> {
  await db
    .updateTable('delivery')
    .set({
      due_at: failure.retryAt,
      claimed_until: null,
      attempts: sql<number>`attempts + 1`,
      last_error: failure.error,
      last_error_at: failure.at,
    })
    .where('user_id', '=', userId)
    .execute()
}

/** Makes everything that waits due now. */
export async function restartDeliveries(db: Db, now: string): Promise<void> {
  await db.updateTable('delivery').set({ due_at: now, attempts: 0 }).where('due_at', 'is not', null).execute()
}

/** Makes what waits for a user due now and forgets what failed until a moment, since it may go elsewhere from then on. */
export async function restartDelivery(
  db: Db,
  userId: UserId,
  { now, begunAt }: { now: string; begunAt: string },
): Promise<void> {
  await db
    .updateTable('delivery')
    .set({
      due_at: sql<string | null>`case when due_at is null then null else ${now}::timestamptz end`,
      attempts: 0,
      ...failureAfter(begunAt),
    })
    .where('user_id', '=', userId)
    .execute()
}

/** Notes that an attempt outside the queue failed. */
export async function noteFailure(db: Db, userId: UserId, error: string, at: string): Promise<void> {
  const failure = { last_error: error, last_error_at: at }
  await db
    .insertInto('delivery')
    .values({ user_id: userId, due_at: null, ...failure })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(failure))
    .execute()
}

/** Why the last attempt for a user failed, and when; nulls where it did not. */
export async function findFailure(
  db: Db,
  userId: UserId,
): Promise<{ lastError: string | null; lastErrorAt: string | null }> {
  const row = await db
    .selectFrom('delivery')
    .select(['last_error', 'last_error_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return { lastError: row?.last_error ?? null, lastErrorAt: row?.last_error_at ?? null }
}
