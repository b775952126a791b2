import type { Kysely } from 'kysely'

/** Creates the webhooks that are to get a new address and may not have it yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_renewal')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('user_id', 'uuid', (column) => column.notNull().references('user.id').onDelete('cascade'))
    .addColumn('due_at', 'timestamptz', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('webhook_renewal_due').on('webhook_renewal').column('due_at').execute()
}
