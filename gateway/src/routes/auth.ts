import {
  createSession,
  endSession,
  refreshSession,
  registerUser,
  type Tokens,
} from '@tripline/proto/auth-request'
import { LoginBody, RefreshBody, RegisterBody, TokenPair, UserView } from '@tripline/proto/http/auth'
import { ErrorBody } from '@tripline/proto/http/error'
import { z } from 'zod'
import type { Access } from '../access/access.ts'
import type { Ask } from '../ask.ts'
import { userView } from '../domain/user-view.ts'
import { type Api, bearer, refusals, sessionRefusals } from './api.ts'

const tags = ['session']
const tokenAnswers = { ...refusals, 200: TokenPair, 401: ErrorBody }

/** Accounts and sessions. */
export function authRoutes(api: Api, ask: Ask, access: Access): void {
  registerRoute(api, ask)
  loginRoute(api, ask)
  refreshRoute(api, ask)
  logoutRoute(api, ask, access)
}

function registerRoute(api: Api, ask: Ask): void {
  const response = { ...refusals, 201: UserView, 409: ErrorBody }
  api.post(
    '/api/auth/register',
    { schema: { tags, summary: 'Open an account', body: RegisterBody, response } },
    async ({ body }, reply) => {
      const { first_name: firstName, last_name: lastName, ...same } = body
      return reply.code(201).send(userView(await ask(registerUser, { ...same, firstName, lastName })))
    },
  )
}

function loginRoute(api: Api, ask: Ask): void {
  api.post(
    '/api/auth/login',
    { schema: { tags, summary: 'Log in', body: LoginBody, response: tokenAnswers } },
    async ({ body }) => tokenPair(await ask(createSession, body)),
  )
}

function refreshRoute(api: Api, ask: Ask): void {
  api.post(
    '/api/auth/refresh',
    { schema: { tags, summary: 'Get new tokens', body: RefreshBody, response: tokenAnswers } },
    async ({ body }) => tokenPair(await ask(refreshSession, { refreshToken: body.refresh_token })),
  )
}

function logoutRoute(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const response = { ...sessionRefusals, 204: z.null().describe('ended') }
  api.post(
    '/api/auth/logout',
    { onRequest: guard, schema: { tags, summary: 'End this session', security: bearer, response } },
    async (request, reply) => {
      await ask(endSession, { sessionId: sessionOf(request).sid })
      return reply.code(204).send(null)
    },
  )
}

function tokenPair({ accessToken, refreshToken }: Tokens): TokenPair {
  return { access_token: accessToken, refresh_token: refreshToken }
}
