import { type Kysely, sql } from 'kysely'

/**
 * Creates the marks of the bus: how far each stream and bucket is known to have come, and the generations of these marks, of
 * which each begins where the bus had lost what they are of.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('bus_mark')
    .addColumn('stream', 'text', (column) => column.primaryKey())
    .addColumn('generation', 'bigint', (column) => column.notNull())
    // The time at which the stream was made, as the bus writes it.
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('sequence', 'bigint', (column) => column.notNull())
    // The newest message whose time of storing is known; absent of a stream that never had one.
    .addColumn('seen_sequence', 'bigint')
    .addColumn('seen_at', 'timestamptz')
    // The time at which all of this was known, by the clock of the bus.
    .addColumn('marked_at', 'timestamptz', (column) => column.notNull())
    .modifyEnd(sql`with (fillfactor = 50)`)
    .execute()
  await db.schema
    .createTable('bus_generation')
    .addColumn('generation', 'bigint', (column) => column.primaryKey())
    .addColumn('began_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('cause', 'text', (column) => column.notNull())
    .addColumn('losses', 'jsonb', (column) => column.notNull())
    // Alerts that the bus stored until then may have been executed by somebody whose traces are lost.
    .addColumn('came_back_until', 'timestamptz')
    .addColumn('restore_id', 'text')
    .execute()
}
