import { endOtherSessions, endSession, listSessions, type Session } from '@tripline/proto/auth-request'
import { SessionView } from '@tripline/proto/http/auth'
import { ErrorBody } from '@tripline/proto/http/error'
import { SessionId } from '@tripline/proto/id'
import { z } from 'zod'
import type { Access } from '../access/access.ts'
import type { Ask } from '../ask.ts'
import { type Api, bearer, sessionRefusals } from './api.ts'

const tags = ['session']
const ended = z.null().describe('ended')

/** The sessions of the caller, wherever they were opened. */
export function authSessionRoutes(api: Api, ask: Ask, access: Access): void {
  listRoute(api, ask, access)
  endOthersRoute(api, ask, access)
  endRoute(api, ask, access)
}

function listRoute(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const response = { ...sessionRefusals, 200: z.array(SessionView) }
  api.get(
    '/api/auth/sessions',
    {
      onRequest: guard,
      schema: { tags, operationId: 'listSessions', summary: 'Your sessions', security: bearer, response },
    },
    async (request) => {
      const { sub: userId, sid: sessionId } = sessionOf(request)
      const { sessions } = await ask(listSessions, { userId, sessionId })
      return sessions.map((session) => sessionView(session, sessionId))
    },
  )
}

function endOthersRoute(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const response = { ...sessionRefusals, 204: ended }
  api.delete(
    '/api/auth/sessions',
    {
      onRequest: guard,
      schema: {
        tags,
        operationId: 'endOtherSessions',
        summary: 'End all sessions but this',
        security: bearer,
        response,
      },
    },
    async (request, reply) => {
      const { sub: userId, sid: sessionId } = sessionOf(request)
      await ask(endOtherSessions, { userId, sessionId })
      return reply.code(204).send(null)
    },
  )
}

function endRoute(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const schema = {
    tags,
    operationId: 'endSession',
    summary: 'End one of your sessions',
    security: bearer,
    params: z.object({ id: SessionId }),
    response: { ...sessionRefusals, 204: ended, 404: ErrorBody },
  }
  api.delete('/api/auth/sessions/:id', { onRequest: guard, schema }, async (request, reply) => {
    await ask(endSession, { userId: sessionOf(request).sub, sessionId: request.params.id })
    return reply.code(204).send(null)
  })
}

function sessionView(session: Session, currentId: SessionId): SessionView {
  return {
    id: session.id,
    created_at: session.createdAt,
    last_used_at: session.usedAt,
    address: session.address,
    user_agent: session.userAgent,
    is_current: session.id === currentId,
  }
}
