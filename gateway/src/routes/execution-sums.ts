import { sumExecutions } from '@tripline/proto/history-request'
import { ExecutionFilter, ExecutionSumsView } from '@tripline/proto/http/execution'
import type { Access } from '../access/access.ts'
import type { Ask } from '../ask.ts'
import { askedFilter } from '../execution-pages.ts'
import { type Api, bearer, sessionRefusals } from './api.ts'

/** The route of sums over the executions that the filters choose, as in the list and the export. */
export function executionSumsRoutes(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const schema = {
    tags: ['history'],
    operationId: 'getExecutionSums',
    summary: 'The sums of the executions that the filters choose',
    security: bearer,
    querystring: ExecutionFilter,
    response: { ...sessionRefusals, 200: ExecutionSumsView },
  }
  api.get('/api/webhook-executions/sums', { onRequest: guard, schema }, async (request) => {
    const sums = await ask(sumExecutions, { userId: sessionOf(request).sub, ...askedFilter(request.query) })
    const { successRate, medianMs, p95Ms, ...same } = sums
    return {
      ...same,
      success_rate: successRate,
      execution_time_p50_ms: medianMs,
      execution_time_p95_ms: p95Ms,
    }
  })
}
