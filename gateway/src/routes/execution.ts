import { type Execution, listExecutions } from '@tripline/proto/history-request'
import { ExecutionPage, ExecutionQuery } from '@tripline/proto/http/execution'
import type { UserId } from '@tripline/proto/id'
import type { Access } from '../access/access.ts'
import type { Ask } from '../ask.ts'
import { executionView } from '../domain/execution-view.ts'
import { type Api, bearer, sessionRefusals } from './api.ts'

/** The history of executions. */
export function executionRoutes(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  api.get(
    '/api/webhook-executions',
    {
      onRequest: guard,
      schema: {
        tags: ['history'],
        summary: 'Executions, newest first',
        security: bearer,
        querystring: ExecutionQuery,
        response: { ...sessionRefusals, 200: ExecutionPage },
      },
    },
    async (request) => {
      const { executions, total } = await findPage(ask, sessionOf(request).sub, request.query)
      const hasMore = request.query.offset + executions.length < total
      return { executions: executions.map(executionView), total, has_more: hasMore }
    },
  )
}

/** A whole page, in as many replies as it takes: large executions do not fit into one. */
async function findPage(
  ask: Ask,
  userId: UserId,
  query: ExecutionQuery,
): Promise<{ executions: Execution[]; total: number }> {
  const filter = filterOf(query)
  const executions: Execution[] = []
  for (;;) {
    const offset = query.offset + executions.length
    const limit = query.limit - executions.length
    const reply = await ask(listExecutions, { userId, offset, limit, ...filter })
    executions.push(...reply.executions)
    const isWhole = executions.length >= query.limit || query.offset + executions.length >= reply.total
    if (isWhole || reply.executions.length === 0) return { executions, total: reply.total }
  }
}

/** An empty filter is no filter. */
function filterOf(query: ExecutionQuery) {
  return {
    label: query.api_key_label || undefined,
    exchange: query.exchange || undefined,
    symbol: query.symbol || undefined,
    commandType: query.command_type || undefined,
    status: query.overall_status || undefined,
  }
}
