import { type Kysely, sql } from 'kysely'

/** Finds what was told of one execution, by the beginning of its ids. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index note_of_execution on note (id text_pattern_ops)`.execute(db)
}
