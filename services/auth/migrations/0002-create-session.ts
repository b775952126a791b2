import type { Kysely } from 'kysely'

/** Creates sessions; one row is a login with the whole line of its refresh tokens. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('session')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('user_id', 'uuid', (column) => column.notNull().references('user.id').onDelete('cascade'))
    .addColumn('refresh_seed', 'text', (column) => column.notNull())
    .addColumn('used_generation', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('refreshed_at', 'timestamptz', (column) => column.notNull())
    .addColumn('ended_at', 'timestamptz')
    .execute()
  await db.schema.createIndex('session_user').on('session').column('user_id').execute()
}
