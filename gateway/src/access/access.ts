import jwt from '@fastify/jwt'
import type { SigningKeys } from '@tripline/kit/crypto/signing-keys'
import type { Http } from '@tripline/kit/http/http'
import { RefusedError } from '@tripline/kit/refused-error'
import { AccessClaims, accessTokenForm } from '@tripline/proto/auth-request'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { costOf, type PricedCall } from '../domain/call-cost.ts'
import type { Budget } from './budget.ts'
import type { EndedSessions } from './ended-sessions.ts'

/** Checks who may pass, and names who passed. */
export interface Access {
  /** The hook of a route that needs a session and spends its user's budget; refuses before the body is read. */
  guard: (request: FastifyRequest) => Promise<void>
  /** The session of a request that passed the guard. */
  sessionOf: (request: FastifyRequest) => AccessClaims
}

const Unverified = z.object({ header: z.object({ kid: z.string() }) })

/**
 * Verifies access tokens with the keys that auth publishes, refuses those of sessions known to have ended, and charges
 * the user for the call.
 */
export async function registerAccess(
  http: Http,
  keys: SigningKeys,
  ended: EndedSessions,
  budget: Budget,
): Promise<Access> {
  await http.register(jwt, {
    decode: { complete: true },
    secret: async (_request: FastifyRequest, token: unknown) => await keyOf(keys, token),
    verify: {
      algorithms: [accessTokenForm.algorithm],
      allowedIss: accessTokenForm.issuer,
      allowedAud: accessTokenForm.audience,
      checkTyp: accessTokenForm.type,
      requiredClaims: ['exp', 'iss', 'aud'],
    },
  })
  const sessions = new WeakMap<FastifyRequest, AccessClaims>()
  return {
    guard: async (request) => {
      const session = await verify(request)
      if (ended.has(session.sid)) throw new RefusedError('unauthorized', 'Please log in again to continue')
      budget.spend(session.sub, costOf(pricedCall(request)))
      sessions.set(request, session)
    },
    sessionOf: (request) => {
      const session = sessions.get(request)
      if (session === undefined) throw new Error('the route has no guard')
      return session
    },
  }
}

function pricedCall({ method, routeOptions, headers }: FastifyRequest): PricedCall {
  const { url: route = '', bodyLimit } = routeOptions
  const length = headers['content-length']
  // A body that does not give its length may be as long as the route lets it.
  const unknownBytes = headers['transfer-encoding'] === undefined ? 0 : bodyLimit
  return { method, route, bodyBytes: length === undefined ? unknownBytes : Number(length) }
}

async function verify(request: FastifyRequest): Promise<AccessClaims> {
  try {
    return AccessClaims.parse(await request.jwtVerify())
  } catch (error) {
    if (error instanceof RefusedError) throw error
    throw new RefusedError('unauthorized', 'Please log in again to continue', { cause: error })
  }
}

async function keyOf(keys: SigningKeys, token: unknown): Promise<string> {
  const unverified = Unverified.safeParse(token)
  const key = unverified.success ? await findKey(keys, unverified.data.header.kid) : undefined
  if (key === undefined) throw new RefusedError('unauthorized', 'Please log in again to continue')
  return key
}

/** A fault of the look-up says nothing about the session, so it must not log anybody out. */
async function findKey(keys: SigningKeys, keyId: string): Promise<string | undefined> {
  try {
    return await keys.find(keyId)
  } catch (error) {
    throw new RefusedError('unavailable', 'The service is not available, please try again', { cause: error })
  }
}
