import type { listUnfinished } from '@tripline/proto/history-request'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from './tables.ts'

const pageSize = 200

/** Returns the executions behind this id without an end, with their commands; a page of them, by id. */
export async function findUnfinished(
  db: Db,
  after: string,
): Promise<z.input<typeof listUnfinished.answered>['executions']> {
  const { rows } = await sql<z.input<typeof listUnfinished.answered>['executions'][number]>`
    select execution.id, alert_id as "alertId", user_id as "userId", bot_id as "botId", label, exchange, symbol,
      (extract(epoch from created_at) * 1000)::double precision as "receivedAt",
      coalesce(listed.commands, '[]') as commands
    from execution
    left join lateral (
      select json_agg(json_build_object('type', type, 'status', status) order by place) as commands
      from command where command.execution_id = execution.id
    ) as listed on true
    where status is null and bot_id is not null and execution.id > ${after}
    order by execution.id limit ${pageSize}`.execute(db)
  return rows
}
