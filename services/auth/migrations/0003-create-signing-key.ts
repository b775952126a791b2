import { type Kysely, sql } from 'kysely'

/** Creates the keys that sign access tokens; at most one of them is current, that is not retired. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('signing_key')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('public_jwk', 'jsonb', (column) => column.notNull())
    .addColumn('private_jwk_envelope', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('retired_at', 'timestamptz')
    .execute()
  await db.schema
    .createIndex('signing_key_current')
    .unique()
    .on('signing_key')
    .expression(sql`(true)`)
    .where(sql.ref('retired_at'), 'is', null)
    .execute()
}
