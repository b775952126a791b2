import { type Execution, type executionSorts, listExecutions } from '@tripline/proto/history-request'
import type { ExecutionFilter } from '@tripline/proto/http/execution'
import type { UserId } from '@tripline/proto/id'
import type { Ask } from './ask.ts'

export type ExecutionSort = (typeof executionSorts)[number]

/** Which part of the executions is wanted. */
export interface PageQuery {
  offset: number
  limit: number
  before: string | undefined
  sort: ExecutionSort
  /** Whether all of them are counted, too. */
  withTotal: boolean
}

export interface FoundPage {
  executions: Execution[]
  total: number | null
  hasMore: boolean
}

/** A whole page, in as many replies as it takes: large executions do not fit into one. */
export async function findPage(
  ask: Ask,
  userId: UserId,
  filter: ExecutionFilter,
  query: PageQuery,
): Promise<FoundPage> {
  const asked = { userId, ...askedFilter(filter) }
  const page = await ask(listExecutions, { ...asked, ...query })
  while (page.hasMore && page.executions.length > 0 && page.executions.length < query.limit) {
    const before = page.executions.at(-1)?.id
    const limit = query.limit - page.executions.length
    const next = await ask(listExecutions, { ...asked, ...query, offset: 0, limit, before, withTotal: false })
    page.executions.push(...next.executions)
    page.hasMore = next.hasMore
  }
  return page
}

const exportedAtATime = 100

/** Everything that the filters choose, page by page as it is taken. */
export async function* findAll(
  ask: Ask,
  userId: UserId,
  filter: ExecutionFilter,
  sort: ExecutionSort,
): AsyncGenerator<Execution[], void> {
  let before: string | undefined
  for (;;) {
    const query = { offset: 0, limit: exportedAtATime, before, sort, withTotal: false }
    const { executions, hasMore } = await findPage(ask, userId, filter, query)
    yield executions
    if (!hasMore || executions.length === 0) return
    before = executions.at(-1)?.id
  }
}

/** An empty filter is no filter. */
export function askedFilter(filter: ExecutionFilter) {
  return {
    label: filter.api_key_label || undefined,
    exchange: filter.exchange || undefined,
    symbol: filter.symbol || undefined,
    commandType: filter.command_type || undefined,
    status: filter.overall_status || undefined,
    outcome: filter.outcome || undefined,
    from: momentOf(filter.from),
    to: momentOf(filter.to),
    search: filter.search || undefined,
  }
}

/** The moment in UTC. */
function momentOf(text: string | undefined): string | undefined {
  return text ? new Date(text).toISOString() : undefined
}
