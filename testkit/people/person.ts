import { randomBytes } from 'node:crypto'
import { TokenPair } from '@tripline/proto/http/auth'
import { calls } from '@tripline/proto/http/calls'
import { callApi } from './call-api.ts'
import type { Call } from './caller.ts'
import { untilAvailable } from './until-available.ts'
import { verifyEmail } from './verify-email.ts'

/** The credentials of a login. */
export interface Login {
  email: string
  password: string
}

/** A person with an account who is logged in. */
export interface Person extends Login {
  tokens: TokenPair
}

/** The fields of every registration, besides an email and a password. */
export const profile = { first_name: 'Ada', last_name: 'Byron', country: 'Italy' }

/** An email that nobody has. */
export function newEmail(): string {
  return `${randomBytes(6).toString('hex')}@example.com`
}

/** Registers somebody new, verifies the email, which is at `/dev/mailbox` or at the given address, and logs in. */
export async function newPerson(
  webUrl: string,
  chosen: Partial<Login> = {},
  mailsUrl?: string,
): Promise<Person> {
  const { email = newEmail(), password = randomBytes(12).toString('base64url') } = chosen
  const login = { email, password }
  await untilAvailable(async () => await callApi(webUrl, calls.register({ ...profile, ...login })))
  await untilAvailable(async () => await verifyEmail(webUrl, login, mailsUrl))
  return { ...login, tokens: await logIn(webUrl, login) }
}

/** A new session of somebody. */
export async function logIn(webUrl: string, { email, password }: Login): Promise<TokenPair> {
  const call = calls.login({ email, password })
  return TokenPair.parse(await untilAvailable(async () => await callApi(webUrl, call)))
}

/** Exchanges the refresh token. */
export async function refresh(call: Call, { refresh_token }: TokenPair): ReturnType<Call> {
  return await call('POST /api/auth/refresh', { body: { refresh_token } })
}
