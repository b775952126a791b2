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

/** Accounts and sessions. */
export function authRoutes(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  api.post(
    '/api/auth/register',
    {
      schema: {
        tags,
        summary: 'Open an account',
        body: RegisterBody,
        response: { ...refusals, 201: UserView, 409: ErrorBody },
      },
    },
    async ({ body }, reply) => {
      const { first_name: firstName, last_name: lastName, ...same } = body
      return reply.code(201).send(userView(await ask(registerUser, { ...same, firstName, lastName })))
    },
  )
  api.post(
    '/api/auth/login',
    {
      schema: {
        tags,
        summary: 'Log in',
        body: LoginBody,
        response: { ...refusals, 200: TokenPair, 401: ErrorBody },
      },
    },
    async ({ body }) => tokenPair(await ask(createSession, body)),
  )
  api.post(
    '/api/auth/refresh',
    {
      schema: {
        tags,
        summary: 'Get new tokens',
        body: RefreshBody,
        response: { ...refusals, 200: TokenPair, 401: ErrorBody },
      },
    },
    async ({ body }) => tokenPair(await ask(refreshSession, { refreshToken: body.refresh_token })),
  )
  api.post(
    '/api/auth/logout',
    {
      onRequest: guard,
      schema: {
        tags,
        summary: 'End this session',
        security: bearer,
        response: { ...sessionRefusals, 204: z.null().describe('ended') },
      },
    },
    async (request, reply) => {
      await ask(endSession, { sessionId: sessionOf(request).sid })
      return reply.code(204).send(null)
    },
  )
}

function tokenPair({ accessToken, refreshToken }: Tokens): TokenPair {
  return { access_token: accessToken, refresh_token: refreshToken }
}
