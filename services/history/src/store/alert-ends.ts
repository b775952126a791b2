import { type AlertEnds, mostAlertEnds } from '@tripline/proto/history-request'
import type { AlertId, UserId } from '@tripline/proto/id'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './tables.ts'

// The row of an alert that was refused as a whole bears the alert's own id.
const ends = sql`user_id as "userId", alert_id as "alertId", max(error_code) filter (where id = alert_id) as refusal,
  count(*) filter (where id <> alert_id and status is not null)::int as ended,
  count(*) filter (where id <> alert_id and status is null)::int as open,
  count(*) filter (where (
    select count(distinct details->>'status') from event
    where event.execution_id = execution.id and kind = 'execution.finished'
  ) > 1)::int as contradicted`

/** Returns the ends of these alerts; nothing of one that has no executions. */
export async function findAlertEnds(
  db: Db,
  alerts: readonly { userId: UserId; alertId: AlertId }[],
): Promise<AlertEnds[]> {
  return await readEnds(
    db,
    sql`from execution join json_to_recordset(${JSON.stringify(alerts)}::json) as asked ("userId" uuid, "alertId" text)
      on user_id = asked."userId" and alert_id = asked."alertId"
      group by user_id, alert_id order by alert_id`,
  )
}

/** Returns alerts from one id on and before another, by id; one more than a page where there are others. */
export async function listEnds(db: Db, from: AlertId, before: AlertId): Promise<AlertEnds[]> {
  return await readEnds(
    db,
    // Ids of executions begin with that of their alert.
    sql`from execution where id >= ${from} and id < ${before}
      group by user_id, alert_id order by alert_id limit ${mostAlertEnds + 1}`,
  )
}

async function readEnds(db: Db, from: RawBuilder<unknown>): Promise<AlertEnds[]> {
  const { rows } = await sql<AlertEnds>`select ${ends} ${from}`.execute(db)
  return rows
}
