import { z } from 'zod'
import { SessionId, UserId } from './id.ts'
import { mostBrowserTokens } from './most-browser-tokens.ts'
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
/** A user as auth shows one. */
export type User = z.infer<typeof User>

const Tokens = z.object({ accessToken: z.string(), refreshToken: z.string() })
/** The tokens of a new or refreshed session. */
export type Tokens = z.infer<typeof Tokens>

const Session = z.object({
  id: SessionId,
  createdAt: z.iso.datetime(),
  /** When it was last refreshed. */
  usedAt: z.iso.datetime(),
  /** From where it was opened, and with what. */
  address: z.string(),
  userAgent: z.string(),
})
/** A session as its owner sees it. */
export type Session = z.infer<typeof Session>

/** The address of the caller; attempts from there are counted. */
const address = StorableText
const Nothing = z.object({})

/**
 * Opens an account that becomes a user once its email is verified. The answer is the same for an email that is known;
 * the mail says so. `rate_limited` after too many.
 */
export const registerUser = requestContract(
  'auth.user.register',
  z.object({
    firstName: StorableText,
    lastName: StorableText,
    country: StorableText,
    /** The wished one, made unique when the email is verified; the part of the email before the @ when it is empty. */
    username: StorableText,
    email: StorableText,
    password: z.string(),
    address,
  }),
  User,
)

/**
 * Spends the token of a verification mail for a caller that knows the password of the registration; repeats success for
 * an hour, else `invalid_token`. `wrong_password` leaves the token as it is; `rate_limited` after too many.
 */
export const verifyEmail = requestContract(
  'auth.email.verify',
  z.object({ token: z.string(), password: z.string() }),
  z.object({ email: z.string() }),
)

/**
 * Mails another verification link to a person who has registered with this email; the answer does not disclose whether
 * somebody has.
 */
export const resendVerification = requestContract(
  'auth.email.resend',
  z.object({ email: StorableText, address }),
  Nothing,
)

/** Mails a link for a new password to the user of this email; the answer does not disclose whether there is one. */
export const requestPasswordReset = requestContract(
  'auth.password.request',
  z.object({ email: StorableText, address }),
  Nothing,
)

/**
 * Sets a new password with the token of a reset mail, ends every session of the user, and has the webhook get a new
 * address unless that is declined; `invalid_token` else.
 */
export const resetPassword = requestContract(
  'auth.password.reset',
  z.object({ token: z.string(), newPassword: z.string(), newWebhookAddress: z.boolean().default(true) }),
  Nothing,
)

/**
 * Logs in; `invalid_login` when email or password is wrong, without naming which; `unverified` when both are right and
 * the email is not verified yet; `rate_limited` after too many failures.
 */
export const createSession = requestContract(
  'auth.session.create',
  z.object({
    email: StorableText,
    password: z.string(),
    address,
    userAgent: StorableText,
    browserTokens: z.array(z.string().max(256)).max(mostBrowserTokens).optional(),
  }),
  Tokens.extend({
    /** By which this browser is known at its next login: strangers' failures do not keep it out. It opens nothing. */
    browserToken: z.string().optional(),
  }),
)

/** Exchanges a refresh token; `unauthorized` when it is spent, unknown or over. */
export const refreshSession = requestContract(
  'auth.session.refresh',
  z.object({ refreshToken: z.string() }),
  Tokens,
)

/** The sessions of a user that can still be used, the last used first. */
export const listSessions = requestContract(
  'auth.session.list',
  z.object({ userId: UserId, sessionId: SessionId }),
  z.object({ sessions: z.array(Session) }),
)

/** Ends a session of this user at once; `not_found` when the user has no such session. */
export const endSession = requestContract(
  'auth.session.end',
  z.object({ userId: UserId, sessionId: SessionId }),
  Nothing,
)

/** Ends every session of this user but one. */
export const endOtherSessions = requestContract(
  'auth.session.end-others',
  z.object({ userId: UserId, sessionId: SessionId }),
  Nothing,
)

/** The user of a verified access token; `unauthorized` when the session has ended. */
export const getUser = requestContract(
  'auth.user.get',
  z.object({ userId: UserId, sessionId: SessionId }),
  User,
)

/** Puts an email on the waitlist; `isNew` is true if it was not there yet. */
export const joinWaitlist = requestContract(
  'auth.waitlist.join',
  z.object({ email: StorableText, address }),
  z.object({ isNew: z.boolean() }),
)

/** The public keys (JWK set) that access tokens are verified with. */
export const listSigningKeys = requestContract(
  'auth.key.list',
  Nothing,
  z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
)

/** The form of every access token, which every verifier asks for. */
export const accessTokenForm = {
  algorithm: 'EdDSA',
  type: 'at+jwt',
  issuer: 'tripline',
  audience: 'tripline-api',
} as const

/** The claims of an access token, besides its form and its times. */
export const AccessClaims = z.object({ sub: UserId, sid: SessionId })
export type AccessClaims = z.infer<typeof AccessClaims>

/** Published at the moment a session ends: its access tokens are not to be taken any more. */
export const SessionEnded = z.object({ sessionId: SessionId })
export type SessionEnded = z.infer<typeof SessionEnded>
