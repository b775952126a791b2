import { sql } from 'kysely'
import type { Budget } from '../domain/throttle.ts'
import { type Db, toIso } from './database.ts'

const hourMs = 3_600_000
// Attempts that come at once may be counted in another order than that of their moments, and replicas' clocks differ.
const slackMs = 1000

/**
 * Takes one attempt from a budget that fills up evenly; returns the wait in ms, 0 when it was taken. One statement, so
 * that many at once on any replica get no more than there is.
 */
export async function takeAttempt(db: Db, { key, perHour }: Budget, now: number): Promise<number> {
  const eachMs = hourMs / perHour
  const spent = sql<string>`greatest(throttle.spent_until, ${toIso(now)}::timestamptz) + ${`${eachMs} ms`}::interval`
  const taken = await db
    .insertInto('throttle')
    .values({ key, spent_until: toIso(now + eachMs) })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ spent_until: spent })
        .where(spent, '<=', toIso(now + hourMs + slackMs)),
    )
    .returning('key')
    .executeTakeFirst()
  return taken === undefined ? await waitOf(db, key, now + hourMs + slackMs - eachMs) : 0
}

/** Gives an attempt back. */
export async function returnAttempt(db: Db, { key, perHour }: Budget): Promise<void> {
  await sql`update throttle set spent_until = spent_until - ${`${hourMs / perHour} ms`}::interval
    where key = ${key}`.execute(db)
}

/** Fills up every budget whose key begins so. */
export async function refillBudgets(db: Db, prefix: string): Promise<void> {
  await db.deleteFrom('throttle').where(sql<boolean>`starts_with(key, ${prefix})`).execute()
}

/** Forgets budgets that are full again. */
export async function deleteFullBudgets(db: Db, now: number): Promise<void> {
  await db.deleteFrom('throttle').where('spent_until', '<', toIso(now)).execute()
}

async function waitOf(db: Db, key: string, latest: number): Promise<number> {
  const row = await db.selectFrom('throttle').select('spent_until').where('key', '=', key).executeTakeFirst()
  return row === undefined ? 1 : Math.max(1, Date.parse(row.spent_until) - latest)
}
