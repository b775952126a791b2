import type { ExecutionSums } from '@tripline/proto/history-request'
import { sql } from 'kysely'
import { type ExecutionFilter, isRefused, matches } from './execution-filter.ts'
import type { Db } from './tables.ts'

/** Coins that prices are told in, as symbols end with them; the longer ones first where one ends with another. */
const quoteCoins = 'FDUSD|USDT|USDC|TUSD|USDE|USD|EUR|GBP|TRY|BRL|DAI|BTC|ETH|BNB'

/** What the executions that a filter chooses come to. */
export async function sumOf(db: Db, filter: ExecutionFilter): Promise<ExecutionSums> {
  const [ends, speed, filled, fees] = await Promise.all([
    countEnds(db, filter),
    findSpeed(db, filter),
    sumFilled(db, filter),
    sumFees(db, filter),
  ])
  return { ...ends, ...speed, filled, fees }
}

type Ends = Pick<ExecutionSums, 'counts' | 'refused' | 'successRate'>

async function countEnds(db: Db, filter: ExecutionFilter): Promise<Ends> {
  const { rows } = await sql<ExecutionSums['counts'] & { refused: number }>`
    select count(*) filter (where status = 'success') as success, count(*) filter (where status = 'partial') as partial,
      count(*) filter (where status = 'failed') as failed, count(*) filter (where status is null) as running,
      count(*) filter (where ${isRefused}) as refused
    from execution where ${matches(filter)}`.execute(db)
  const { refused, ...counts } = rows[0] ?? { success: 0, partial: 0, failed: 0, running: 0, refused: 0 }
  const tried = counts.success + counts.partial + counts.failed - refused
  return { counts, refused, successRate: tried === 0 ? null : counts.success / tried }
}

type Speed = Pick<ExecutionSums, 'medianMs' | 'p95Ms'>

async function findSpeed(db: Db, filter: ExecutionFilter): Promise<Speed> {
  const { rows } = await sql<{ ms: [number, number] | null }>`
    select percentile_disc(array[0.5, 0.95]) within group (order by command.execution_time_ms) as ms
    from execution join command on command.execution_id = execution.id
    where ${matches(filter)} and command.type <> 'wait'`.execute(db)
  const [medianMs, p95Ms] = rows[0]?.ms ?? [null, null]
  return { medianMs, p95Ms }
}

async function sumFilled(db: Db, filter: ExecutionFilter): Promise<ExecutionSums['filled']> {
  const { rows } = await sql<ExecutionSums['filled'][number]>`
    select coin, trim_scale(sum(worth))::text as amount
    from (
      select substring(execution.symbol from ${`(${quoteCoins})$`}) as coin,
        placed_order.filled * placed_order.average_price as worth
      from execution join placed_order on placed_order.execution_id = execution.id
      where ${matches(filter)} and placed_order.filled > 0
    ) as each
    where coin is not null and worth is not null group by coin order by sum(worth) desc, coin`.execute(db)
  return rows
}

async function sumFees(db: Db, filter: ExecutionFilter): Promise<ExecutionSums['fees']> {
  const { rows } = await sql<ExecutionSums['fees'][number]>`
    select fee_coin as coin, trim_scale(sum(fee))::text as amount
    from execution join placed_order on placed_order.execution_id = execution.id
    where ${matches(filter)} and fee_coin is not null group by fee_coin order by fee_coin`.execute(db)
  return rows
}
