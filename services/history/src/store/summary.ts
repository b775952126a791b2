import type { BotFigures } from '@tripline/proto/history-request'
import type { BotId, UserId } from '@tripline/proto/id'
import { sql } from 'kysely'
import { isRefused } from './execution-filter.ts'
import { timeOf } from './moment.ts'
import type { Db } from './tables.ts'

/** When a user's newest execution was received, and how many have failed since a moment. */
export async function countFailed(
  db: Db,
  userId: UserId,
  since: number,
): Promise<{ lastAt: string | null; failed: number }> {
  const newest = db
    .selectFrom('execution')
    .select('created_at')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(1)
  const failed = db
    .selectFrom('execution')
    .select(({ fn }) => fn.countAll<number>().as('failed'))
    .where('user_id', '=', userId)
    .where('created_at', '>=', timeOf(since))
    .where('status', '=', 'failed')
  const [last, counted] = await Promise.all([newest.executeTakeFirst(), failed.executeTakeFirstOrThrow()])
  return { lastAt: last?.created_at ?? null, failed: counted.failed }
}

interface BotRow extends Omit<BotFigures, 'last'> {
  lastId: string | null
  lastCreatedAt: string | null
  lastStatus: NonNullable<BotFigures['last']>['status']
}

/** Returns figures of these bots' executions: the newest of each, and sums since a moment; in the bots' order. */
export async function findBotFigures(
  db: Db,
  userId: UserId,
  botIds: readonly BotId[],
  since: number,
): Promise<BotFigures[]> {
  const { rows } = await sql<BotRow>`
    select bot.id as "botId",
      newest.id as "lastId", newest.created_at as "lastCreatedAt", coalesce(newest.status, 'running') as "lastStatus",
      recent.total as executions, recent.counts, recent.succeeded::double precision / nullif(recent.tried, 0) as "successRate",
      speed.ms[1] as "medianMs", speed.ms[2] as "p95Ms"
    from unnest(${botIds}::uuid[]) with ordinality as bot (id, place)
    left join lateral (
      select id, created_at, status from execution
      where user_id = ${userId} and bot_id = bot.id order by created_at desc, id desc limit 1
    ) as newest on true
    cross join lateral (
      select count(*) as total, count(status) filter (where not ${isRefused}) as tried,
        count(*) filter (where status = 'success') as succeeded,
        json_build_object(
          'success', count(*) filter (where status = 'success'), 'partial', count(*) filter (where status = 'partial'),
          'failed', count(*) filter (where status = 'failed'), 'refused', count(*) filter (where ${isRefused})
        ) as counts
      from execution where user_id = ${userId} and bot_id = bot.id and created_at >= ${timeOf(since)}
    ) as recent
    cross join lateral (
      select percentile_disc(array[0.5, 0.95]) within group (order by command.execution_time_ms) as ms
      from execution join command on command.execution_id = execution.id
      where user_id = ${userId} and bot_id = bot.id and created_at >= ${timeOf(since)} and command.type <> 'wait'
    ) as speed
    order by bot.place`.execute(db)
  return rows.map(({ lastId, lastCreatedAt, lastStatus, ...figures }) => {
    const isUsed = lastId !== null && lastCreatedAt !== null
    return { ...figures, last: isUsed ? { id: lastId, createdAt: lastCreatedAt, status: lastStatus } : null }
  })
}
