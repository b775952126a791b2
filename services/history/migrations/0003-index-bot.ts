import { type Kysely, sql } from 'kysely'

/** Finds a bot's newest executions without reading all of its user's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('execution_of_bot')
    .on('execution')
    .columns(['user_id', sql`bot_id`, sql`created_at desc`, sql`id desc`])
    .execute()
}
