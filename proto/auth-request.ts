import { z } from 'zod'
import { SessionId, UserId } from './id.ts'
import { requestContract } from './request.ts'
import { StorableText } from './storable-text.ts'

const User = z.object({
  id: UserId,
  email: z.string(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  country: z.string(),
  createdAt: z.iso.datetime(),
})
/** A user as auth tells of one. */
export type User = z.infer<typeof User>

const Tokens = z.object({ accessToken: z.string(), refreshToken: z.string() })
/** What a new or refreshed session gets. */
export type Tokens = z.infer<typeof Tokens>

/** Opens an account; `conflict` when the email is taken. */
export const registerUser = requestContract(
  'auth.user.register',
  z.object({
    firstName: StorableText,
    lastName: StorableText,
    country: StorableText,
    /** The wished one; the part of the email before the @ when it is empty. */
    username: StorableText,
    email: StorableText,
    password: z.string(),
  }),
  User,
)

/** Logs in; `invalid_login` when email or password is wrong, without telling which. */
export const createSession = requestContract(
  'auth.session.create',
  z.object({ email: StorableText, password: z.string() }),
  Tokens,
)

/** Exchanges a refresh token; `unauthorized` when it is spent, unknown or over. */
export const refreshSession = requestContract(
  'auth.session.refresh',
  z.object({ refreshToken: z.string() }),
  Tokens,
)

/** Ends a session at once. */
export const endSession = requestContract(
  'auth.session.end',
  z.object({ sessionId: SessionId }),
  z.object({}),
)

/** The user of a verified access token; `unauthorized` when the session has ended. */
export const getUser = requestContract(
  'auth.user.get',
  z.object({ userId: UserId, sessionId: SessionId }),
  User,
)

/** The public keys (JWK set) that access tokens are verified with. */
export const listSigningKeys = requestContract(
  'auth.key.list',
  z.object({}),
  z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
)

/** What every access token is, and what whoever verifies one asks for. */
export const accessTokenForm = {
  algorithm: 'EdDSA',
  type: 'at+jwt',
  issuer: 'tripline',
  audience: 'tripline-api',
} as const

/** What an access token says, besides its form and its times. */
export const AccessClaims = z.object({ sub: UserId, sid: SessionId })
export type AccessClaims = z.infer<typeof AccessClaims>
