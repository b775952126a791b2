import type { Kysely } from 'kysely'

/** Creates the times at which a user opened accounts on the paper exchange in the last 24 hours. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('paper_account')
    .addColumn('user_id', 'uuid', (column) => column.notNull())
    .addColumn('opened_at', 'timestamptz', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('paper_account_of_user').on('paper_account').column('user_id').execute()
}
