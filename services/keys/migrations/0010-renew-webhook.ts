import type { Kysely } from 'kysely'

/** Adds the last renewal of a webhook that another service asked for, so that it happens once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('webhook').addColumn('renewal_id', 'uuid').execute()
}
