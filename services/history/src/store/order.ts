import { sql, type Transaction } from 'kysely'
import type { OrderChange } from '../domain/order.ts'
import type { Tables } from './tables.ts'

/** Joins events of orders to what is stored; of each the row that knows most of its fills stays, in any order. */
export async function saveOrders(db: Transaction<Tables>, changes: readonly OrderChange[]): Promise<void> {
  const rows = JSON.stringify(changes)
  // A cancel may report an order whose execution is too old to be kept.
  await sql`
    insert into placed_order
      (client_order_id, execution_id, user_id, venue_order_id, filled, average_price, fee, fee_coin)
    select distinct on (told."clientOrderId") told."clientOrderId", told."executionId", told."userId",
      told."venueOrderId", told.filled, told."averagePrice", told.fee, told."feeCoin"
    from jsonb_to_recordset(${rows}::jsonb) as told ("clientOrderId" text, "executionId" text, "userId" uuid,
      "venueOrderId" text, filled numeric, "averagePrice" numeric, fee numeric, "feeCoin" text)
    join execution on execution.id = told."executionId" and execution.user_id = told."userId"
    order by told."clientOrderId", told.filled desc, told."averagePrice" desc nulls last, told.fee desc nulls last
    on conflict (client_order_id) do update set
      venue_order_id = excluded.venue_order_id, filled = excluded.filled, average_price = excluded.average_price,
      fee = excluded.fee, fee_coin = excluded.fee_coin
    where (excluded.filled, coalesce(excluded.average_price, -1), coalesce(excluded.fee, '-Infinity'))
      > (placed_order.filled, coalesce(placed_order.average_price, -1), coalesce(placed_order.fee, '-Infinity'))
  `.execute(db)
}
