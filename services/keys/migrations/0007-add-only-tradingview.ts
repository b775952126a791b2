import type { Kysely } from 'kysely'

/** Adds whether only TradingView's addresses may call a webhook. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('webhook')
    .addColumn('only_tradingview', 'boolean', (column) => column.notNull().defaultTo(false))
    .execute()
}
