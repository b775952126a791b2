import { timeOf } from './moment.ts'
import type { Db } from './tables.ts'

// Few enough that no transaction holds its locks for long.
const batchSize = 1000

/** Deletes the executions received before this moment, with all their events; returns how many there were. */
export async function deleteExecutionsBefore(db: Db, moment: number): Promise<number> {
  let deleted = 0
  for (;;) {
    const { numDeletedRows } = await db
      .deleteFrom('execution')
      .where('id', 'in', (builder) =>
        builder
          .selectFrom('execution')
          .select('id')
          .where('created_at', '<', timeOf(moment))
          .limit(batchSize),
      )
      .executeTakeFirstOrThrow()
    deleted += Number(numDeletedRows)
    if (Number(numDeletedRows) < batchSize) return deleted
  }
}

/** Deletes the executions received at this moment or later; returns how many there were. */
export async function deleteExecutionsSince(db: Db, moment: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('execution')
    .where('created_at', '>=', timeOf(moment))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Deletes these executions, with all their events. */
export async function deleteExecutions(db: Db, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('execution').where('id', 'in', ids).execute()
}

/** The ids of the executions received at this moment or later. */
export async function findIdsSince(db: Db, moment: number): Promise<string[]> {
  const rows = await db
    .selectFrom('execution')
    .select('id')
    .where('created_at', '>=', timeOf(moment))
    .execute()
  return rows.map(({ id }) => id)
}
