import { type InsertObject, type RawBuilder, sql, type Transaction } from 'kysely'
import { type EventChange, resentKind } from '../domain/flight.ts'
import {
  amendedRank,
  type CommandChange,
  type ExecutionChange,
  type Projection,
} from '../domain/projection.ts'
import { timeOf } from './moment.ts'
import { saveOrders } from './order.ts'
import type { Db, Tables } from './tables.ts'

/** Rows of one statement: it may have 65,535 parameters, and a row has at most 17. */
const rowsAtOnce = 2000

/** Joins what events told to what is stored, few statements a table; the order of the calls makes no difference. */
export async function saveProjection(
  db: Db,
  { executions, commands, events, orders }: Projection,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (executions.length > 0) await saveExecutions(transaction, executions)
    if (commands.length > 0) await saveCommands(transaction, commands)
    if (executions.length > 0) await amendStatuses(transaction, executions)
    if (executions.length > 0) await saveCodes(transaction, executions)
    if (orders.length > 0) await saveOrders(transaction, orders)
    const known = await withExecution(transaction, events)
    if (known.length > 0) await saveEvents(transaction, known)
  })
}

async function saveExecutions(db: Transaction<Tables>, changes: readonly ExecutionChange[]): Promise<void> {
  const isNewer = sql`(excluded.ended_at, excluded.ended_by) > (execution.ended_at, execution.ended_by)`
  const replaced = ['status', 'error_code', 'error', 'total_ms', 'ended_at', 'ended_by']
  for (const some of inOneOrder(changes, ({ id }) => id)) {
    await db
      .insertInto('execution')
      .values(some.map(executionRow))
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({
          ...replaceIf(isNewer, 'execution', replaced),
          created_at: sql`least(execution.created_at, excluded.created_at)`,
          message: sql`coalesce(execution.message, excluded.message)`,
          body: sql`coalesce(execution.body, excluded.body)`,
          is_close_only: sql`execution.is_close_only or excluded.is_close_only`,
        }),
      )
      .execute()
  }
}

async function saveCommands(db: Transaction<Tables>, changes: readonly CommandChange[]): Promise<void> {
  const isNewer = sql`(excluded.told_rank, excluded.told_at, excluded.told_by)
    > (command.told_rank, command.told_at, command.told_by)`
  const outcome = ['status', 'error_code', 'error', 'result', 'execution_time_ms']
  const replaced = [...outcome, 'told_rank', 'told_at', 'told_by']
  for (const some of inOneOrder(changes, ({ executionId, place }) => `${executionId}.${place}`)) {
    await db
      .insertInto('command')
      .values(some.map(commandRow))
      .onConflict((conflict) =>
        conflict.columns(['execution_id', 'place']).doUpdateSet({
          ...replaceIf(isNewer, 'command', replaced),
          params: sql`coalesce(command.params, excluded.params)`,
        }),
      )
      .execute()
  }
}

/** A command that turned out otherwise than its end said changes the end of its execution as well. */
async function amendStatuses(db: Transaction<Tables>, changes: readonly ExecutionChange[]): Promise<void> {
  const ids = changes.map(({ id }) => id)
  await sql`
    update execution set status = told.status
    from (
      select execution_id, case
        when bool_and(status = 'success') then 'success'
        when bool_or(status = 'success') then 'partial'
        when bool_or(error_code = 'E604' and json_typeof(result) = 'object' and result->'undone' is null) then 'partial'
        else 'failed'
      end as status
      from command
      where execution_id = any(${ids})
      group by execution_id
      having bool_or(told_rank = ${amendedRank})
    ) as told
    where execution.id = told.execution_id and execution.status is not null
  `.execute(db)
}

/** The error codes of an execution are those of its commands and its own. */
async function saveCodes(db: Transaction<Tables>, changes: readonly ExecutionChange[]): Promise<void> {
  const ids = changes.map(({ id }) => id)
  await sql`
    update execution set codes = told.codes
    from (
      select id, array_agg(distinct code order by code) filter (where code is not null) as codes
      from (
        select id, error_code as code from execution where id = any(${ids})
        union all
        select execution_id, error_code from command where execution_id = any(${ids})
      ) as each
      group by id
    ) as told
    where execution.id = told.id and execution.codes is distinct from told.codes
  `.execute(db)
}

/** The events without those of alerts that came again and have no execution. */
async function withExecution(
  db: Transaction<Tables>,
  events: readonly EventChange[],
): Promise<readonly EventChange[]> {
  const resent = events.filter(({ kind }) => kind === resentKind).map(({ executionId }) => executionId)
  if (resent.length === 0) return events
  const rows = await db.selectFrom('execution').select('id').where('id', 'in', resent).execute()
  const executions = new Set(rows.map(({ id }) => id))
  return events.filter(({ kind, executionId }) => kind !== resentKind || executions.has(executionId))
}

async function saveEvents(db: Transaction<Tables>, events: readonly EventChange[]): Promise<void> {
  for (const some of inOneOrder(events, ({ executionId, at, id }) => `${executionId} ${at} ${id}`)) {
    await db
      .insertInto('event')
      .values(some.map(eventRow))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

function replaceIf(
  isNewer: RawBuilder<unknown>,
  table: keyof Tables,
  columns: readonly string[],
): Record<string, RawBuilder<unknown>> {
  const replace = (column: string): RawBuilder<unknown> =>
    sql`case when ${isNewer} then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`${table}.${column}`)} end`
  return Object.fromEntries(columns.map((column) => [column, replace(column)]))
}

/** Replicas lock the rows they share in one order, so that none waits for another in a circle. */
function inOneOrder<Change>(changes: readonly Change[], keyOf: (change: Change) => string): Change[][] {
  const ordered = changes.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  const count = Math.ceil(ordered.length / rowsAtOnce)
  return Array.from({ length: count }, (_, part) => ordered.slice(part * rowsAtOnce, (part + 1) * rowsAtOnce))
}

function executionRow(change: ExecutionChange): InsertObject<Tables, 'execution'> {
  const { id, label, exchange, symbol, message, body, end } = change
  return {
    id,
    alert_id: change.alertId,
    user_id: change.userId,
    bot_id: change.botId,
    label,
    exchange,
    symbol,
    created_at: timeOf(change.createdAt),
    message,
    body,
    is_close_only: change.isCloseOnly,
    status: end?.status ?? null,
    error_code: end?.errorCode ?? null,
    error: end?.error ?? null,
    total_ms: end?.totalMs ?? null,
    ended_at: end?.at ?? 0,
    ended_by: end?.by ?? '',
  }
}

function commandRow({
  executionId,
  place,
  type,
  params,
  standing,
}: CommandChange): InsertObject<Tables, 'command'> {
  return {
    execution_id: executionId,
    place,
    type,
    params: asJson(params),
    status: standing?.status ?? null,
    error_code: standing?.errorCode ?? null,
    error: standing?.error ?? null,
    result: asJson(standing?.result ?? null),
    execution_time_ms: standing?.executionTimeMs ?? null,
    told_rank: standing?.rank ?? 0,
    told_at: standing?.at ?? 0,
    told_by: standing?.by ?? '',
  }
}

function eventRow({ executionId, command, details, ...same }: EventChange): InsertObject<Tables, 'event'> {
  return { ...same, execution_id: executionId, place: command, details: JSON.stringify(details) }
}

function asJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}
