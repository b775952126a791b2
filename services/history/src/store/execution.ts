import type { Execution, listExecutions } from '@tripline/proto/history-request'
import { type ExpressionBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { executionOf, type StoredCommand } from '../domain/execution.ts'
import type { Db, Tables } from './tables.ts'

export type ExecutionFilter = Omit<z.infer<typeof listExecutions.asked>, 'offset' | 'limit'>

/** A page of a user's executions with their commands, newest first. */
export async function findExecutions(
  db: Db,
  filter: ExecutionFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<Execution[]> {
  const rows = await db
    .selectFrom('execution')
    .select(['id', 'alert_id as alertId', 'created_at as createdAt', 'label', 'exchange', 'symbol', 'status'])
    .select(['error_code as errorCode', 'error', 'total_ms as totalMs', 'message'])
    .where((builder) => matches(builder, filter))
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
