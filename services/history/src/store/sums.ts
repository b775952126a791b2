import type { ExecutionSums } from '@tripline/proto/history-request'
import { sql } from 'kysely'
import { type ExecutionFilter, isRefused, matches } from './execution-filter.ts'
import type { Db } from './tables.ts'

/** Ends of symbols that name the coin of their prices; the longer ones first where one ends with another. */
const quoteCoins = '(FDUSD|USDT|USDC|TUSD|USDE|USD|EUR|GBP|TRY|BRL|DAI|BTC|ETH|BNB)$'

interface SumsRow extends Omit<ExecutionSums, 'counts' | 'successRate' | 'medianMs' | 'p95Ms'> {
  success: number
  partial: number
  failed: number
  running: number
  ms: [number, number] | null
}

/** Returns the sums of the executions that a filter chooses; the filter is looked at once for each. */
export async function sumOf(db: Db, filter: ExecutionFilter): Promise<ExecutionSums> {
  const { rows } = await sql<SumsRow>`
    with chosen as materialized (
      select id, symbol, status, ${isRefused} as refused from execution where ${matches(filter)}
    ), traded as materialized (
      select symbol, fee_coin, sum(filled * average_price) as worth, sum(fee) as fee
      from chosen join placed_order on execution_id = chosen.id where filled > 0 group by symbol, fee_coin
    ), placed as materialized (
      select substring(symbol from ${quoteCoins}) as quote, worth, fee, fee_coin from traded
    )
    select count(*) filter (where status = 'success') as success, count(*) filter (where status = 'partial') as partial,
      count(*) filter (where status = 'failed') as failed, count(*) filter (where status is null) as running,
      count(*) filter (where refused) as refused,
      (
        select percentile_disc(array[0.5, 0.95]) within group (order by execution_time_ms)
        from chosen join command on execution_id = chosen.id where type <> 'wait'
      ) as ms,
      (${amounts('quote', 'worth')}) as filled, (${amounts('fee_coin', 'fee')}) as fees
    from chosen`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a count is one row')
  const { success, partial, failed, running, refused, ms, filled, fees } = row
  const tried = success + partial + failed - refused
  return {
    counts: { success, partial, failed, running },
    refused,
    successRate: tried === 0 ? null : success / tried,
    medianMs: ms?.[0] ?? null,
    p95Ms: ms?.[1] ?? null,
    filled,
    fees,
  }
}

/** The sums of what was placed by coin, the coins in the order of the alphabet, as decimal text. */
function amounts(coin: 'quote' | 'fee_coin', amount: 'worth' | 'fee') {
  return sql`
    select coalesce(json_agg(json_build_object('coin', coin, 'amount', trim_scale(total)::text) order by coin), '[]')
    from (
      select ${sql.ref(coin)} as coin, sum(${sql.ref(amount)}) as total from placed
      where ${sql.ref(coin)} is not null and ${sql.ref(amount)} is not null group by 1
    ) as each`
}
