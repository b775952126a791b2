import type { Kysely } from 'kysely'

/** Adds the form in which a webhook's alerts are read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('webhook')
    .addColumn('alert_format', 'text', (column) => column.notNull().defaultTo('tripline'))
    .execute()
}
