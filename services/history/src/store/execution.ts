import type { Execution, FlightEvent, listExecutions } from '@tripline/proto/history-request'
import { type ExpressionBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { executionOf, type StoredCommand } from '../domain/execution.ts'
import type { Db, Tables } from './tables.ts'

export type ExecutionFilter = Omit<
  z.infer<typeof listExecutions.asked>,
  'offset' | 'limit' | 'before' | 'withTotal'
>

export interface Page {
  offset: number
  limit: number
  /** Only those behind this execution. */
  before?: string | undefined
}

const told = [
  'id',
  'alert_id as alertId',
  'created_at as createdAt',
  'label',
  'exchange',
  'symbol',
  'status',
  'error_code as errorCode',
  'error',
  'total_ms as totalMs',
  'is_close_only as isCloseOnly',
] as const

/** A text of an alert, which one of its executions has for all of them. */
function ofAlert(column: 'message' | 'body') {
  return sql<string | null>`case when execution.message <> '' then ${sql.ref(`execution.${column}`)} else (
    select ${sql.ref(`other.${column}`)} from execution as other
    where other.alert_id = execution.alert_id and other.user_id = execution.user_id and other.message <> ''
    order by other.id limit 1
  ) end`.as(column)
}

/** A page of a user's executions with their commands, newest first. */
export async function findExecutions(
  db: Db,
  filter: ExecutionFilter,
  { offset, limit, before }: Page,
): Promise<Execution[]> {
  const rows = await db
    .selectFrom('execution')
    .select([...told, ofAlert('message')])
    .where((builder) => matches(builder, filter))
    .$if(before !== undefined, (query) => query.where(isBehind(filter.userId, before ?? '')))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  const commands = await findCommands(
    db,
    rows.map((row) => row.id),
  )
  return rows.map((row) => executionOf(row, commands.get(row.id) ?? []))
}

/** One of a user's executions, with its raw body and the moment of its receipt to the microsecond. */
export async function findExecution(
  db: Db,
  userId: string,
  id: string,
): Promise<{ execution: Execution; body: string | null; receivedAt: number } | undefined> {
  const row = await db
    .selectFrom('execution')
    .select([...told, ofAlert('message'), ofAlert('body')])
    .select(sql<number>`(extract(epoch from created_at) * 1000)::double precision`.as('receivedAt'))
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { body, receivedAt, ...stored } = row
  const commands = await findCommands(db, [id])
  return { execution: executionOf(stored, commands.get(id) ?? []), body, receivedAt }
}

/** The events of an execution in the order of their times, at most so many. */
export async function findEvents(
  db: Db,
  executionId: string,
  limit: number,
): Promise<Omit<FlightEvent, 'afterMs'>[]> {
  return await db
    .selectFrom('event')
    .select(['at', 'kind', 'place as command', 'details'])
    .where('execution_id', '=', executionId)
    .orderBy('at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** How many of a user's executions match. */
export async function countExecutions(db: Db, filter: ExecutionFilter): Promise<number> {
  const { total } = await db
    .selectFrom('execution')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where((builder) => matches(builder, filter))
    .executeTakeFirstOrThrow()
  return total
}

async function findCommands(db: Db, executionIds: readonly string[]): Promise<Map<string, StoredCommand[]>> {
  if (executionIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('command')
    .select(['execution_id', 'type', 'params', 'status', 'error_code as errorCode', 'error', 'result'])
    .select('execution_time_ms as executionTimeMs')
    .where('execution_id', 'in', executionIds)
    .orderBy('execution_id')
    .orderBy('place')
    .execute()
  const commands = new Map<string, StoredCommand[]>(executionIds.map((id) => [id, []]))
  for (const { execution_id, ...command } of rows) commands.get(execution_id)?.push(command)
  return commands
}

function matches(builder: ExpressionBuilder<Tables, 'execution'>, filter: ExecutionFilter) {
  const { userId, label, exchange, symbol, commandType, status } = filter
  const conditions = [builder('user_id', '=', userId)]
  // Labels are unique without regard to case, and symbols are typed as one likes.
  if (label !== undefined) conditions.push(sameWord(builder, 'label', label))
  if (symbol !== undefined) conditions.push(sameWord(builder, 'symbol', symbol))
  if (exchange !== undefined) conditions.push(builder('exchange', '=', exchange))
  if (status !== undefined) {
    conditions.push(status === 'running' ? builder('status', 'is', null) : builder('status', '=', status))
  }
  if (commandType !== undefined) conditions.push(hasCommand(builder, commandType))
  return builder.and(conditions)
}

/** Behind this execution in the order of the list; behind one that the user does not have is nothing. */
function isBehind(userId: string, id: string) {
  return sql<boolean>`(created_at, id) < (
    select place.created_at, place.id from execution as place where place.id = ${id} and place.user_id = ${userId}
  )`
}

function sameWord(builder: ExpressionBuilder<Tables, 'execution'>, column: 'label' | 'symbol', word: string) {
  return builder(builder.fn<string>('lower', [column]), '=', sql<string>`lower(${word})`)
}

function hasCommand(builder: ExpressionBuilder<Tables, 'execution'>, type: string) {
  return builder.exists(
    builder
      .selectFrom('command')
      .select('command.place')
      .whereRef('command.execution_id', '=', 'execution.id')
      .where('command.type', '=', type),
  )
}
