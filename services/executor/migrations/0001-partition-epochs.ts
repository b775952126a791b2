import { type Kysely, sql } from 'kysely'

/**
 * Creates a row a partition with its owner and its epoch, which grows with each owner. `renewal` counts what the owner has
 * renewed since it claimed the row. Half of each page stays free, since every row is written once a second.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('partition_epoch')
    .addColumn('partition', 'integer', (column) => column.primaryKey())
    .addColumn('epoch', 'bigint', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    // Absent where the owner's machine does not report it.
    .addColumn('place', 'text')
    .addColumn('renewal', 'bigint', (column) => column.notNull())
    .addColumn('renewed_at', 'timestamptz', (column) => column.notNull())
    .modifyEnd(sql`with (fillfactor = 50)`)
    .execute()
}
