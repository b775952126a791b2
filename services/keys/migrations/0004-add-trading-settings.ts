import type { Kysely } from 'kysely'

/** Adds the trading state of all of a user's bots, and the most that an order of a bot may be worth. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('user_config')
    .addColumn('trading_state', 'text', (column) => column.notNull().defaultTo('active'))
    .execute()
  await db.schema.alterTable('bot').addColumn('max_order_value', 'numeric').execute()
}
