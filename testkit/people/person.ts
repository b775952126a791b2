import { randomBytes } from 'node:crypto'
import { TokenPair } from '@tripline/proto/http/auth'
import { type Call, onceAvailable } from './caller.ts'
import { untilAvailable } from './until-available.ts'
import { verifyEmail } from './verify-email.ts'

/** A person with an account who is logged in. */
export interface Person {
  email: string
  password: string
  tokens: TokenPair
}

/** The fields of every registration, besides an email and a password. */
export const profile = { first_name: 'Ada', last_name: 'Byron', country: 'Italy' }

/** An email that nobody has. */
export function newEmail(): string {
  return `${randomBytes(6).toString('hex')}@example.com`
}

/** Registers somebody new, verifies the email and logs in. */
export async function newPerson(
  call: Call,
  webUrl: string,
  chosen: { email?: string; password?: string } = {},
): Promise<Person> {
  const { email = newEmail(), password = randomBytes(12).toString('base64url') } = chosen
  await onceAvailable(call, 'POST /api/auth/register', { body: { ...profile, email, password } })
  await untilAvailable(async () => await verifyEmail(webUrl, { email, password }))
  return { email, password, tokens: await logIn(call, { email, password }) }
}

/** A new session of somebody. */
export async function logIn(call: Call, { email, password }: Omit<Person, 'tokens'>): Promise<TokenPair> {
  return TokenPair.parse(
    (await onceAvailable(call, 'POST /api/auth/login', { body: { email, password } })).body,
  )
}

/** Exchanges the refresh token. */
export async function refresh(call: Call, { refresh_token }: TokenPair): ReturnType<Call> {
  return await call('POST /api/auth/refresh', { body: { refresh_token } })
}
