import { type RawBuilder, sql, type Transaction } from 'kysely'
import { type EventChange, resentKind } from '../domain/flight.ts'
import {
  amendedRank,
  type CommandChange,
  type ExecutionChange,
  type Projection,
} from '../domain/projection.ts'
import { saveOrders } from './order.ts'
import type { Db, Tables } from './tables.ts'

/** A row as JSON that Postgres reads: one parameter whatever the number of rows, so that the statement stays the same. */
type Row<Table extends keyof Tables> = { [Column in keyof Tables[Table]]?: unknown }

/** Joins what events report to what is stored, one statement a table; the order of the calls makes no difference. */
export async function saveProjection(
  db: Db,
  { executions, commands, events, orders }: Projection,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const fresh = await saveExecutions(transaction, executions)
    if (commands.length > 0) await saveCommands(transaction, commands)
    const judged = judgedAnew({ executions, commands }, fresh)
    if (judged.length > 0) await amendStatuses(transaction, judged)
    if (judged.length > 0) await saveCodes(transaction, judged)
    if (orders.length > 0) await saveOrders(transaction, orders)
    const known = await withExecution(transaction, events)
    if (known.length > 0) await saveEvents(transaction, known)
  })
}

/** Returns the ids of the executions of which nothing was stored before. */
async function saveExecutions(
  db: Transaction<Tables>,
  changes: readonly ExecutionChange[],
): Promise<ReadonlySet<string>> {
  if (changes.length === 0) return new Set()
  const rows = asRows(changes, ({ id }) => id, executionRow)
  const replaced = ['status', 'error_code', 'error', 'total_ms', 'ended_at', 'ended_by']
  // A row that was there is locked by the transaction that updates it.
  const { rows: stored } = await sql<{ id: string; is_fresh: boolean }>`
    insert into execution (id, alert_id, user_id, bot_id, label, exchange, symbol, created_at, message, body,
      is_close_only, status, error_code, error, total_ms, ended_at, ended_by)
    select id, alert_id, user_id, bot_id, label, exchange, symbol, to_timestamp(created_at / 1000), message, body,
      is_close_only, status, error_code, error, total_ms, ended_at, ended_by
    from json_to_recordset(${rows}::json) as incoming (id text, alert_id text, user_id uuid, bot_id uuid, label text,
      exchange text, symbol text, created_at double precision, message text, body text, is_close_only boolean, status text,
      error_code text, error text, total_ms double precision, ended_at double precision, ended_by text)
    on conflict (id) do update set
      ${replaceIf(sql`(excluded.ended_at, excluded.ended_by) > (execution.ended_at, execution.ended_by)`, 'execution', replaced)},
      created_at = least(execution.created_at, excluded.created_at),
      message = coalesce(execution.message, excluded.message),
      body = coalesce(execution.body, excluded.body),
      is_close_only = execution.is_close_only or excluded.is_close_only
    returning id, xmax = 0 as is_fresh
  `.execute(db)
  return new Set(stored.filter(({ is_fresh }) => is_fresh).map(({ id }) => id))
}

/**
 * Returns the ids of the executions whose status and codes may follow from what is stored of them. One of which nothing was
 * stored before has what these changes say, and none but errors and amendments say more than its end does.
 */
function judgedAnew(
  { executions, commands }: Pick<Projection, 'executions' | 'commands'>,
  fresh: ReadonlySet<string>,
): string[] {
  const troubled = new Set(
    commands
      .filter(
        ({ standing }) => standing !== null && (standing.errorCode !== null || standing.rank === amendedRank),
      )
      .map(({ executionId }) => executionId),
  )
  return executions
    .filter(({ id, end }) => !fresh.has(id) || troubled.has(id) || (end?.errorCode ?? null) !== null)
    .map(({ id }) => id)
}

async function saveCommands(db: Transaction<Tables>, changes: readonly CommandChange[]): Promise<void> {
  if (changes.length === 0) return
  const rows = asRows(changes, ({ executionId, place }) => `${executionId}.${place}`, commandRow)
  const isNewer = sql`(excluded.told_rank, excluded.told_at, excluded.told_by)
    > (command.told_rank, command.told_at, command.told_by)`
  const outcome = ['status', 'error_code', 'error', 'result', 'execution_time_ms']
  await sql`
    insert into command (execution_id, place, type, params, status, error_code, error, result, execution_time_ms,
      told_rank, told_at, told_by)
    select * from json_to_recordset(${rows}::json) as incoming (execution_id text, place integer, type text, params json,
      status text, error_code text, error text, result json, execution_time_ms double precision, told_rank smallint,
      told_at double precision, told_by text)
    on conflict (execution_id, place) do update set
      ${replaceIf(isNewer, 'command', [...outcome, 'told_rank', 'told_at', 'told_by'])},
      params = coalesce(command.params, excluded.params)
  `.execute(db)
}

/** A command that turned out otherwise than its end said changes the end of its execution as well. */
async function amendStatuses(db: Transaction<Tables>, ids: readonly string[]): Promise<void> {
  await sql`
    update execution set status = incoming.status
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
    ) as incoming
    where execution.id = incoming.execution_id and execution.status is not null
  `.execute(db)
}

/** The error codes of an execution are those of its commands and its own. */
async function saveCodes(db: Transaction<Tables>, ids: readonly string[]): Promise<void> {
  await sql`
    update execution set codes = incoming.codes
    from (
      select id, array_agg(distinct code order by code) filter (where code is not null) as codes
      from (
        select id, error_code as code from execution where id = any(${ids})
        union all
        select execution_id, error_code from command where execution_id = any(${ids})
      ) as each
      group by id
    ) as incoming
    where execution.id = incoming.id and execution.codes is distinct from incoming.codes
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
  if (events.length === 0) return
  const rows = asRows(events, ({ executionId, at, id }) => `${executionId} ${at} ${id}`, eventRow)
  await sql`
    insert into event (execution_id, at, id, kind, place, details)
    select * from json_to_recordset(${rows}::json) as incoming (execution_id text, at double precision, id text, kind text,
      place integer, details json)
    on conflict do nothing
  `.execute(db)
}

function replaceIf(
  isNewer: RawBuilder<unknown>,
  table: keyof Tables,
  columns: readonly string[],
): RawBuilder<unknown> {
  const replaced = columns.map((column) => {
    const [incoming, stored] = [sql.ref(`excluded.${column}`), sql.ref(`${table}.${column}`)]
    return sql`${sql.ref(column)} = case when ${isNewer} then ${incoming} else ${stored} end`
  })
  return sql.join(replaced)
}

/** The rows in one order, so that replicas which lock the same ones do not wait for each other in a circle. */
function asRows<Change>(
  changes: readonly Change[],
  keyOf: (change: Change) => string,
  rowOf: (change: Change) => object,
): string {
  const ordered = changes.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  return JSON.stringify(ordered.map(rowOf))
}

function executionRow(change: ExecutionChange): Row<'execution'> {
  const { id, label, exchange, symbol, message, body, end } = change
  return {
    id,
    alert_id: change.alertId,
    user_id: change.userId,
    bot_id: change.botId,
    label,
    exchange,
    symbol,
    created_at: change.createdAt,
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

function commandRow({ executionId, place, type, params, standing }: CommandChange): Row<'command'> {
  return {
    execution_id: executionId,
    place,
    type,
    params,
    status: standing?.status ?? null,
    error_code: standing?.errorCode ?? null,
    error: standing?.error ?? null,
    result: standing?.result ?? null,
    execution_time_ms: standing?.executionTimeMs ?? null,
    told_rank: standing?.rank ?? 0,
    told_at: standing?.at ?? 0,
    told_by: standing?.by ?? '',
  }
}

function eventRow({ executionId, command, ...same }: EventChange): Row<'event'> {
  return { ...same, execution_id: executionId, place: command }
}
