import { type CreateTableBuilder, type Kysely, sql } from 'kysely'

/** Creates bots; a user's labels differ in more than upper and lower case. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const table = db.schema
    .createTable('bot')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('user_id', 'uuid', (column) => column.notNull().references('user_config.user_id'))
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('exchange', 'text', (column) => column.notNull())
    .addColumn('market_type', 'text', (column) => column.notNull())
    .addColumn('is_testnet', 'boolean', (column) => column.notNull())
    .addColumn('api_key_preview', 'text', (column) => column.notNull())
    .addColumn('sealed_credentials', 'text', (column) => column.notNull())
  await withSettings(table).execute()
  await db.schema.createIndex('bot_label').unique().on('bot').expression(sql`user_id, lower(label)`).execute()
}

function withSettings<Table extends string, Column extends string>(
  table: CreateTableBuilder<Table, Column>,
): CreateTableBuilder<Table, string> {
  return table
    .addColumn('notify_on_trade', 'boolean', (column) => column.notNull())
    .addColumn('notify_on_error', 'boolean', (column) => column.notNull())
    .addColumn('notify_on_fill', 'boolean', (column) => column.notNull())
    .addColumn('trading_state', 'text', (column) => column.notNull().defaultTo('active'))
    .addColumn('max_entry_age_s', 'integer', (column) => column.notNull().defaultTo(60))
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
}
