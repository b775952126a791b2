import type { Kysely } from 'kysely'

/** Adds what the last test of a bot's credentials found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('bot').addColumn('last_test', 'json').execute()
}
