import type { Kysely } from 'kysely'

/** Adds how long exits and cancels of a bot are tried that its exchange does not take, in seconds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('bot')
    .addColumn('exit_retry_s', 'integer', (column) => column.notNull().defaultTo(600))
    .execute()
}
