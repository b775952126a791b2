import { type Kysely, sql } from 'kysely'

/** Executions and their commands. A row is made by whichever event comes first, so most columns start empty. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('execution')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('alert_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'uuid', (column) => column.notNull())
    .addColumn('bot_id', 'uuid')
    .addColumn('label', 'text')
    .addColumn('exchange', 'text')
    .addColumn('symbol', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('message', 'text')
    .addColumn('status', 'text')
    .addColumn('error_code', 'text')
    .addColumn('error', 'text')
    .addColumn('total_ms', 'double precision')
    // The event that told the end; a newer one replaces what an older one said.
    .addColumn('ended_at', 'double precision', (column) => column.notNull())
    .addColumn('ended_by', sql`text collate "C"`, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('execution_newest')
    .on('execution')
    .columns(['user_id', sql`created_at desc`, sql`id desc`])
    .execute()
  await db.schema
    .createTable('command')
    .addColumn('execution_id', 'text', (column) =>
      column.notNull().references('execution.id').onDelete('cascade'),
    )
    .addColumn('place', 'integer', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    // Not jsonb, which loses the order in which the parameters were written.
    .addColumn('params', 'json')
    .addColumn('status', 'text')
    .addColumn('error_code', 'text')
    .addColumn('error', 'text')
    .addColumn('result', 'json')
    .addColumn('execution_time_ms', 'double precision')
    // The event that told the status: how final it is, and when and by which event it was told.
    .addColumn('told_rank', 'smallint', (column) => column.notNull())
    .addColumn('told_at', 'double precision', (column) => column.notNull())
    .addColumn('told_by', sql`text collate "C"`, (column) => column.notNull())
    .addPrimaryKeyConstraint('command_pk', ['execution_id', 'place'])
    .execute()
}
