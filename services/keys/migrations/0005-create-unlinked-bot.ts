import type { Kysely } from 'kysely'

/** Creates the bots that are gone and whose credentials may still lie in the bucket. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('unlinked_bot')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('user_id', 'uuid', (column) => column.notNull().references('user_config.user_id'))
    .execute()
  await db.schema.createIndex('unlinked_bot_user').on('unlinked_bot').column('user_id').execute()
}
