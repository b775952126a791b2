import { Health } from '@tripline/proto/http/health'
import type { Api } from './api.ts'

/** Whether an alert can be executed, for people and launchers; probes ask each process itself. */
export function healthRoutes(api: Api, check: () => Promise<Health>): void {
  api.get(
    '/api/health',
    {
      schema: {
        tags: ['health'],
        operationId: 'getHealth',
        summary: 'Whether an alert can be executed',
        response: { 200: Health, 503: Health },
      },
    },
    async (_request, reply) => {
      const health = await check()
      return reply.code(health.status === 'down' ? 503 : 200).send(health)
    },
  )
}
