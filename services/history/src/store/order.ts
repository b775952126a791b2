import { sql, type Transaction } from 'kysely'
import type { OrderChange } from '../domain/order.ts'
import type { Tables } from './tables.ts'

/** Joins events of orders to what is stored; of each the row that knows most of its fills stays, in any order. */
export async function saveOrders(db: Transaction<Tables>, changes: readonly OrderChange[]): Promise<void> {
  const rows = JSON.stringify(changes)
  // A cancel may report an order whose execution is too old to be stored.
  await sql`
    insert into placed_order
      (client_order_id, execution_id, user_id, venue_order_id, filled, average_price, fee, fee_coin)
    select distinct on (incoming."clientOrderId") incoming."clientOrderId", incoming."executionId", incoming."userId",
      incoming."venueOrderId", incoming.filled, incoming."averagePrice", incoming.fee, incoming."feeCoin"
    from jsonb_to_recordset(${rows}::jsonb) as incoming ("clientOrderId" text, "executionId" text, "userId" uuid,
      "venueOrderId" text, filled numeric, "averagePrice" numeric, fee numeric, "feeCoin" text)
    join execution on execution.id = incoming."executionId" and execution.user_id = incoming."userId"
    order by incoming."clientOrderId", incoming.filled desc, incoming."averagePrice" desc nulls last, incoming.fee desc nulls last
    on conflict (client_order_id) do update set
      venue_order_id = excluded.venue_order_id, filled = excluded.filled, average_price = excluded.average_price,
      fee = excluded.fee, fee_coin = excluded.fee_coin
    where (excluded.filled, coalesce(excluded.average_price, -1), coalesce(excluded.fee, '-Infinity'))
      > (placed_order.filled, coalesce(placed_order.average_price, -1), coalesce(placed_order.fee, '-Infinity'))
  `.execute(db)
}
