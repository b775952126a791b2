import { type Kysely, sql } from 'kysely'

/** Lets a signing key be published before it signs: from its moment on it does, and the one before no longer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('signing_key').addColumn('signs_from', 'timestamptz').execute()
  await sql`update signing_key set signs_from = created_at`.execute(db)
  await db.schema
    .alterTable('signing_key')
    .alterColumn('signs_from', (column) => column.setNotNull())
    .execute()
  await db.schema.dropIndex('signing_key_current').execute()
  await db.schema.alterTable('signing_key').dropColumn('retired_at').execute()
}
