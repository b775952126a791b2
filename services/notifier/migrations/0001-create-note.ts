import { type Kysely, sql } from 'kysely'

/** Creates what is to be told to users, and how the telling goes for each of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('note')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'uuid', (column) => column.notNull())
    .addColumn('html', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    // Kept for a while after it was sent: the same event may come again.
    .addColumn('sent_at', 'timestamptz')
    .execute()
  await db.schema
    .createIndex('note_waiting')
    .on('note')
    .columns(['user_id', 'created_at', 'id'])
    .where(sql<boolean>`sent_at is null`)
    .execute()
  await db.schema.createIndex('note_age').on('note').column('created_at').execute()
  await db.schema
    .createTable('delivery')
    .addColumn('user_id', 'uuid', (column) => column.primaryKey())
    // When to send next; null while nothing waits.
    .addColumn('due_at', 'timestamptz')
    // Until when one of the replicas has it in its hands.
    .addColumn('claimed_until', 'timestamptz')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('left_out', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('last_error', 'text')
    .addColumn('last_error_at', 'timestamptz')
    .execute()
  await db.schema.createIndex('delivery_due').on('delivery').column('due_at').execute()
}
