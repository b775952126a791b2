import { type Kysely, sql } from 'kysely'

/** Finds the execution that has the text of an alert for all of its executions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('execution_message')
    .on('execution')
    .column('alert_id')
    .where(sql`message`, '<>', '')
    .execute()
}
