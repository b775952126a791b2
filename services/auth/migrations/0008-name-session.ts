import type { Kysely } from 'kysely'

/** Adds to each session from where and with what it was opened, so that its owner knows which one it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('session')
    .addColumn('address', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('user_agent', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
}
