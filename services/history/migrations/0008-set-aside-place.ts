import { type Kysely, sql } from 'kysely'

/** Of several events in one message each may be set aside on its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('set_aside')
    .addColumn('place', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`
    alter table set_aside drop constraint set_aside_pkey, add constraint set_aside_pkey primary key (sequence, place)
  `.execute(db)
}
