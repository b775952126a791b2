import { type Kysely, sql } from 'kysely'

/** Every event of an execution, as it was told: one that is told again at another moment is another row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('execution').addColumn('body', 'text').execute()
  await db.schema
    .createTable('event')
    .addColumn('execution_id', 'text', (column) =>
      column.notNull().references('execution.id').onDelete('cascade'),
    )
    .addColumn('at', 'double precision', (column) => column.notNull())
    .addColumn('id', sql`text collate "C"`, (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('place', 'integer')
    .addColumn('details', 'json', (column) => column.notNull())
    .addPrimaryKeyConstraint('event_pk', ['execution_id', 'at', 'id'])
    .execute()
  // Executions that are too old are looked for over all users.
  await db.schema.createIndex('execution_oldest').on('execution').column('created_at').execute()
}
