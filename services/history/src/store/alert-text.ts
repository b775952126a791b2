import { type RawBuilder, sql } from 'kysely'

/** A text of an alert, which one of its executions has for all of them. */
export function ofAlert(column: 'message' | 'body'): RawBuilder<string | null> {
  return sql<string | null>`case when execution.message <> '' then ${sql.ref(`execution.${column}`)} else (
    select ${sql.ref(`other.${column}`)} from execution as other
    where other.alert_id = execution.alert_id and other.user_id = execution.user_id and other.message <> ''
    order by other.id limit 1
  ) end`
}
