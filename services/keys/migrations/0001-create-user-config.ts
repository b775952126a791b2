import { type Kysely, sql } from 'kysely'

/**
 * Creates a row a user that counts the changes of their state (`version`) and how far these are known on the bus
 * (`published_version`), and the user's webhook.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('user_config')
    .addColumn('user_id', 'uuid', (column) => column.primaryKey())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('published_version', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('user_config_behind')
    .on('user_config')
    .column('user_id')
    .where(sql<boolean>`published_version < version`)
    .execute()
  await db.schema
    .createTable('webhook')
    .addColumn('user_id', 'uuid', (column) => column.primaryKey().references('user_config.user_id'))
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('token_envelope', 'text', (column) => column.notNull())
    .addColumn('is_active', 'boolean', (column) => column.notNull())
    .addColumn('max_requests_per_minute', 'integer', (column) => column.notNull())
    .execute()
}
