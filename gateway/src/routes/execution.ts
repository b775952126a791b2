import { RefusedError } from '@tripline/kit/refused-error'
import { getExecution } from '@tripline/proto/history-request'
import { ErrorBody } from '@tripline/proto/http/error'
import { ExecutionPage, ExecutionQuery, FlightView } from '@tripline/proto/http/execution'
import type { UserId } from '@tripline/proto/id'
import { findMessages } from '@tripline/proto/notification-request'
import { StorableText } from '@tripline/proto/storable-text'
import { z } from 'zod'
import type { Access } from '../access/access.ts'
import type { Ask } from '../ask.ts'
import { executionView } from '../domain/execution-view.ts'
import { findPage } from '../execution-pages.ts'
import { flightView } from '../flight-view.ts'
import { type Api, bearer, sessionRefusals } from './api.ts'

const tags = ['history']

/** The history of executions. */
export function executionRoutes(api: Api, ask: Ask, access: Access): void {
  listRoute(api, ask, access)
  flightRoute(api, ask, access)
}

function listRoute(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const schema = {
    tags,
    operationId: 'listExecutions',
    summary: 'Executions that the filters choose, newest first unless sorted otherwise',
    security: bearer,
    querystring: ExecutionQuery,
    response: { ...sessionRefusals, 200: ExecutionPage },
  }
  api.get('/api/webhook-executions', { onRequest: guard, schema }, async (request) => {
    const { offset, limit, cursor, sort, ...filter } = request.query
    const query = {
      offset,
      limit,
      before: cursor || undefined,
      sort: sort || 'newest',
      withTotal: true,
    } as const
    const { executions, total, hasMore } = await findPage(ask, sessionOf(request).sub, filter, query)
    return {
      executions: executions.map(executionView),
      total: total ?? 0,
      has_more: hasMore,
      next_cursor: hasMore ? (executions.at(-1)?.id ?? null) : null,
    }
  })
}

function flightRoute(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const schema = {
    tags,
    operationId: 'getExecution',
    summary: 'One execution with the time of every event',
    security: bearer,
    params: z.object({ id: z.string().max(40) }),
    response: { ...sessionRefusals, 200: FlightView, 404: ErrorBody },
  }
  api.get('/api/webhook-executions/:id', { onRequest: guard, schema }, async (request) => {
    const { id } = request.params
    if (!StorableText.safeParse(id).success) throw new RefusedError('not_found', 'Execution not found')
    const userId = sessionOf(request).sub
    const flight = await ask(getExecution, { userId, id })
    return flightView(flight, await messagesOf(ask, userId, flight))
  })
}

// An execution is worth more than what was sent of it.
const messagesPatienceMs = 1000

async function messagesOf(ask: Ask, userId: UserId, flight: z.infer<typeof getExecution.answered>) {
  const { id: executionId, createdAt } = flight.execution
  const refusedAt = flight.events.find(({ kind }) => kind === 'alert.refused')?.at
  const asked = {
    userId,
    executionId,
    at: Date.parse(createdAt),
    ...(refusedAt !== undefined && { refusedAt }),
  }
  try {
    return await ask(findMessages, asked, { timeoutMs: messagesPatienceMs })
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return undefined
  }
}
