import type { sumExecutions } from '@tripline/proto/history-request'
import type { UserId } from '@tripline/proto/id'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { readSearch } from '../domain/search.ts'
import { ofAlert } from './alert-text.ts'

/** The filter of a user's executions; absent fields do not filter. */
export type ExecutionFilter = z.infer<typeof sumExecutions.asked>

type Condition = RawBuilder<boolean>

/** Holds for the executions that a filter chooses, each of its user. */
export function matches(filter: ExecutionFilter): Condition {
  const { userId, from, to, label, exchange, symbol, commandType, status, outcome, search } = filter
  const conditions = [
    is`execution.user_id = ${userId}`,
    from !== undefined && is`execution.created_at >= ${from}`,
    to !== undefined && is`execution.created_at < ${to}`,
    // Labels are unique without regard to case, and symbols are typed as one likes.
    label !== undefined && is`lower(execution.label) = lower(${label})`,
    symbol !== undefined && is`lower(execution.symbol) = lower(${symbol})`,
    exchange !== undefined && is`execution.exchange = ${exchange}`,
    status !== undefined && hasStatus(status),
    commandType !== undefined && hasCommand(commandType),
    outcome !== undefined && outcomes[outcome],
    search !== undefined && search.trim() !== '' && isFound(userId, search),
  ]
  return sql.join(
    conditions.filter((condition) => condition !== false),
    sql` and `,
  ) as Condition
}

const is = sql<boolean>

function hasStatus(status: NonNullable<ExecutionFilter['status']>): Condition {
  return status === 'running' ? is`execution.status is null` : is`execution.status = ${status}`
}

function hasCommand(type: string): Condition {
  return is`exists (select from command where execution_id = execution.id and type = ${type})`
}

/** The row of a refused alert, of which nothing ran, has the id of the alert. */
export const isRefused = is`execution.id = execution.alert_id`

const outcomes: Record<NonNullable<ExecutionFilter['outcome']>, Condition> = {
  late: hasCode('E515'),
  refused: isRefused,
  partial: hasStatus('partial'),
  repeated: is`execution.id in (select execution_id from event where kind = 'alert.resent')`,
  // Rows show it to two places; below that it is a tick or two. A price better than expected is below zero.
  slipped: is`exists (
    select from command where execution_id = execution.id and case
      when result->>'slippage_percent' ~ '^[0-9.]+$' then (result->>'slippage_percent')::numeric >= 0.005
    end
  )`,
}

function hasCode(code: string): Condition {
  return is`(execution.codes is not null and ${code} = any(execution.codes))`
}

function isFound(userId: UserId, typed: string): Condition {
  const search = readSearch(typed)
  if ('code' in search) return hasCode(search.code)
  if ('alertId' in search) return is`execution.alert_id = ${search.alertId}`
  const { text } = search
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  return is`(${ofAlert('message')} ilike ${pattern} or execution.id in (
    select execution_id from placed_order where user_id = ${userId} and venue_order_id = ${text}
  ))`
}
