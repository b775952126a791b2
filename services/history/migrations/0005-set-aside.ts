import type { Kysely } from 'kysely'

/** Events that could not be stored, as they came, so that nothing of them is lost when the stream lets them go. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('set_aside')
    .addColumn('sequence', 'bigint', (column) => column.primaryKey())
    // Bytes, since what no text can hold may be the reason.
    .addColumn('event', 'bytea', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    .execute()
}
