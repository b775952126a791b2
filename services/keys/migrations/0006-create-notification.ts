import type { Kysely } from 'kysely'

/** Creates where a user's notifications go; the bot token is sealed to the notifier. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('notification')
    .addColumn('user_id', 'uuid', (column) => column.primaryKey().references('user_config.user_id'))
    .addColumn('is_enabled', 'boolean', (column) => column.notNull())
    .addColumn('sealed_token', 'text')
    .addColumn('chat_id', 'text')
    .execute()
}
