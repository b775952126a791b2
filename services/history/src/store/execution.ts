import type { Execution, executionSorts, FlightEvent } from '@tripline/proto/history-request'
import { sql } from 'kysely'
import { executionOf, type StoredCommand } from '../domain/execution.ts'
import { ofAlert } from './alert-text.ts'
import { type ExecutionFilter, matches } from './execution-filter.ts'
import type { Db } from './tables.ts'

export interface Page {
  offset: number
  limit: number
  sort: (typeof executionSorts)[number]
  /** Only those behind this execution. */
  before?: string | undefined
}

const columns = [
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

/** The order of a list: by what, which way, and how those behind one compare with it. */
const orders = {
  newest: { column: sql`created_at`, way: 'desc', behind: sql`<` },
  oldest: { column: sql`created_at`, way: 'asc', behind: sql`>` },
  // As the index has it; one that runs took no time yet.
  slowest: { column: sql`coalesce(total_ms, -1)`, way: 'desc', behind: sql`<` },
} as const

/** A page of a user's executions with their commands. */
export async function findExecutions(
  db: Db,
  filter: ExecutionFilter,
  { offset, limit, before, sort }: Page,
): Promise<Execution[]> {
  const { column, way } = orders[sort]
  const rows = await db
    .selectFrom('execution')
    .select([...columns, ofAlert('message').as('message')])
    .where(matches(filter))
    .$if(before !== undefined, (query) => query.where(isBehind(sort, filter.userId, before ?? '')))
    .orderBy(column, way)
    .orderBy('id', way)
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
    .select([...columns, ofAlert('message').as('message'), ofAlert('body').as('body')])
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

/** Returns the number of a user's executions that match. */
export async function countExecutions(db: Db, filter: ExecutionFilter): Promise<number> {
  const { total } = await db
    .selectFrom('execution')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where(matches(filter))
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

/** Behind this execution in the order of the list; behind one that the user does not have is nothing. */
function isBehind(sort: Page['sort'], userId: string, id: string) {
  const { column, behind } = orders[sort]
  return sql<boolean>`(${column}, id) ${behind} (
    select ${column}, id from execution as place where place.id = ${id} and place.user_id = ${userId}
  )`
}
