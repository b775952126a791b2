import { type Kysely, sql } from 'kysely'

/**
 * Orders with what was filled of them, and the error codes of an execution, from what is stored already; and what finds
 * a user's executions by them, by alert and by how long they took.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('placed_order')
    .addColumn('client_order_id', 'text', (column) => column.primaryKey())
    .addColumn('execution_id', 'text', (column) =>
      column.notNull().references('execution.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'uuid', (column) => column.notNull())
    .addColumn('venue_order_id', 'text', (column) => column.notNull())
    .addColumn('filled', 'numeric', (column) => column.notNull())
    .addColumn('average_price', 'numeric')
    .addColumn('fee', 'numeric')
    .addColumn('fee_coin', 'text')
    .execute()
  await db.schema.alterTable('execution').addColumn('codes', sql`text[]`).execute()
  await fill(db)
  await createIndexes(db)
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  await sql`create index placed_order_execution on placed_order (execution_id)`.execute(db)
  await sql`create index placed_order_venue on placed_order (user_id, venue_order_id)`.execute(db)
  await sql`create index execution_alert on execution (user_id, alert_id)`.execute(db)
  await sql`create index execution_slowest on execution (user_id, coalesce(total_ms, -1) desc, id desc)`.execute(
    db,
  )
  // Most executions fail with nothing, so that the others of a user are few.
  await sql`create index execution_codes on execution (user_id, created_at desc, id desc)
    where codes is not null`.execute(db)
  await sql`create index event_resent on event (execution_id) where kind = 'alert.resent'`.execute(db)
}

/** Ids of orders of ours begin with their alert and, as a digit in base 32, its block. */
async function fill(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into placed_order
      (client_order_id, execution_id, user_id, venue_order_id, filled, average_price, fee, fee_coin)
    select distinct on (client_order_id) client_order_id, execution.id, user_id, venue_order_id, filled, average_price,
      fee, fee_coin
    from (
      select details->>'clientOrderId' as client_order_id, details->>'venueOrderId' as venue_order_id,
        (details->>'filled')::numeric as filled, (details->>'averagePrice')::numeric as average_price,
        (details#>>'{fee,amount}')::numeric as fee, details#>>'{fee,coin}' as fee_coin
      from event where kind in ('order.acknowledged', 'order.filled', 'order.canceled')
      union all
      select result->>'client_order_id', result->>'id', (result->>'filled')::numeric,
        coalesce(result->>'average_price', result->>'price')::numeric, (result#>>'{fee,amount}')::numeric,
        result#>>'{fee,coin}'
      from command
      where json_typeof(result) = 'object' and result->>'client_order_id' is not null and result->>'filled' is not null
    ) as told
    join execution on execution.id = substring(client_order_id from 2 for 26) || '-'
      || (position(substring(client_order_id from 28 for 1) in '0123456789ABCDEFGHIJKLMNOPQRSTUV') - 1)
    order by client_order_id, filled desc, average_price is not null desc, fee is not null desc`.execute(db)
  await sql`
    update execution set codes = told.codes
    from (
      select id, array_agg(distinct code order by code) as codes
      from (
        select id, error_code as code from execution
        union all
        select execution_id, error_code from command
      ) as each
      where code is not null group by id
    ) as told
    where execution.id = told.id`.execute(db)
}
