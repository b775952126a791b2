import type { Kysely } from 'kysely'

/** Adds whether an execution's alert came at a close-only address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('execution')
    .addColumn('is_close_only', 'boolean', (column) => column.notNull().defaultTo(false))
    .execute()
}
