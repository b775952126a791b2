import type { Kysely } from 'kysely'

/** Creates the addresses at which alerts for one bot may only close; one goes with its bot. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('close_only_address')
    .addColumn('bot_id', 'uuid', (column) => column.primaryKey().references('bot.id').onDelete('cascade'))
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('token_envelope', 'text', (column) => column.notNull())
    .execute()
}
