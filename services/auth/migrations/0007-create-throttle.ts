import { type Kysely, sql } from 'kysely'

/**
 * Creates how often what was attempted: for each thing counted, until when its budget is spent. Unlogged, since a crash
 * of the server may forget it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create unlogged table throttle (key text primary key, spent_until timestamptz not null)`.execute(
    db,
  )
  await db.schema.createIndex('throttle_spent_until').on('throttle').column('spent_until').execute()
}
