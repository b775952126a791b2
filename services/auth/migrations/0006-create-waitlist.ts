import { type Kysely, sql } from 'kysely'

/** Creates the emails of those who wait to be told, each there once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('waitlist')
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('joined_at', 'timestamptz', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('waitlist_email')
    .unique()
    .on('waitlist')
    .expression(sql`lower(email)`)
    .execute()
}
