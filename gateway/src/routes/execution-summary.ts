import { summarizeExecutions } from '@tripline/proto/history-request'
import { ExecutionSummary } from '@tripline/proto/http/execution'
import { listBots } from '@tripline/proto/key-request'
import type { Access } from '../access/access.ts'
import type { Ask } from '../ask.ts'
import { summaryView } from '../domain/summary-view.ts'
import { type Api, bearer, sessionRefusals } from './api.ts'

/** The route of each API key's figures. */
export function executionSummaryRoutes(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const schema = {
    tags: ['history'],
    operationId: 'getExecutionSummary',
    summary: 'The figures of the executions of each API key',
    security: bearer,
    response: { ...sessionRefusals, 200: ExecutionSummary },
  }
  api.get('/api/webhook-executions/summary', { onRequest: guard, schema }, async (request) => {
    const userId = sessionOf(request).sub
    const { bots } = await ask(listBots, { userId })
    const botIds = bots.map(({ id }) => id)
    return summaryView(bots, await ask(summarizeExecutions, { userId, botIds }))
  })
}
