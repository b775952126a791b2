import {
  createSession,
  endSession,
  refreshSession,
  registerUser,
  type Tokens,
} from '@tripline/proto/auth-request'
import {
  LoginBody,
  LoginView,
  RefreshBody,
  RegisterBody,
  TokenPair,
  UserView,
} from '@tripline/proto/http/auth'
import { ErrorBody } from '@tripline/proto/http/error'
import { z } from 'zod'
import type { Access } from '../access/access.ts'
import type { Ask } from '../ask.ts'
import { userAgentOf } from '../domain/user-agent.ts'
import { userView } from '../domain/user-view.ts'
import { type Api, bearer, refusals, sessionRefusals } from './api.ts'

const tags = ['session']
const tokenAnswers = { ...refusals, 200: TokenPair, 401: ErrorBody }

/** Accounts and the session of a caller. */
export function authRoutes(api: Api, ask: Ask, access: Access): void {
  registerRoute(api, ask)
  loginRoute(api, ask)
  refreshRoute(api, ask)
  logoutRoute(api, ask, access)
}

function registerRoute(api: Api, ask: Ask): void {
  const description =
    'The account can be used once the link that is mailed was followed. A known email is answered alike, and mailed something else.'
  const response = { ...refusals, 201: UserView, 429: ErrorBody }
  api.post(
    '/api/auth/register',
    {
      schema: {
        tags,
        operationId: 'register',
        summary: 'Open an account',
        description,
        body: RegisterBody,
        response,
      },
    },
    async ({ body, ip }, reply) => {
      const { first_name: firstName, last_name: lastName, username = '', ...same } = body
      const asked = { ...same, firstName, lastName, username, address: ip }
      return reply.code(201).send(userView(await ask(registerUser, asked)))
    },
  )
}

function loginRoute(api: Api, ask: Ask): void {
  const response = { ...tokenAnswers, 200: LoginView, 429: ErrorBody }
  api.post(
    '/api/auth/login',
    { schema: { tags, operationId: 'login', summary: 'Log in', body: LoginBody, response } },
    async ({ body, ip, headers }) => {
      const from = { address: ip, userAgent: userAgentOf(headers['user-agent']) }
      const { email, password, browser_tokens: browserTokens } = body
      const { browserToken, ...tokens } = await ask(createSession, {
        email,
        password,
        browserTokens,
        ...from,
      })
      return { ...tokenPair(tokens), browser_token: browserToken }
    },
  )
}

function refreshRoute(api: Api, ask: Ask): void {
  api.post(
    '/api/auth/refresh',
    {
      schema: {
        tags,
        operationId: 'refresh',
        summary: 'Get new tokens',
        body: RefreshBody,
        response: tokenAnswers,
      },
    },
    async ({ body }) => tokenPair(await ask(refreshSession, { refreshToken: body.refresh_token })),
  )
}

function logoutRoute(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const response = { ...sessionRefusals, 204: z.null().describe('ended') }
  api.post(
    '/api/auth/logout',
    {
      onRequest: guard,
      schema: { tags, operationId: 'logout', summary: 'Log out', security: bearer, response },
    },
    async (request, reply) => {
      const { sub: userId, sid: sessionId } = sessionOf(request)
      await ask(endSession, { userId, sessionId })
      return reply.code(204).send(null)
    },
  )
}

function tokenPair({ accessToken, refreshToken }: Tokens): TokenPair {
  return { access_token: accessToken, refresh_token: refreshToken }
}
