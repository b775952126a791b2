import { getUser } from '@tripline/proto/auth-request'
import { UserView } from '@tripline/proto/http/auth'
import type { Access } from '../access/access.ts'
import type { Ask } from '../ask.ts'
import { userView } from '../domain/user-view.ts'
import { type Api, bearer, sessionRefusals } from './api.ts'

/** The current user. */
export function userRoutes(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  api.get(
    '/api/users/me',
    {
      onRequest: guard,
      schema: {
        tags: ['session'],
        operationId: 'getMe',
        summary: 'The user of this session',
        security: bearer,
        response: { ...sessionRefusals, 200: UserView },
      },
    },
    async (request) => {
      const { sub: userId, sid: sessionId } = sessionOf(request)
      return userView(await ask(getUser, { userId, sessionId }))
    },
  )
}
