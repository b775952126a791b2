import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sendRequest } from '@tripline/kit/bus/request'
import { openDatabase } from '@tripline/kit/postgres'
import { createSession, refreshSession, requestPasswordReset } from '@tripline/proto/auth-request'
import { testLog } from '@tripline/testkit/log'
import { usualCost } from '../src/crypto/password.ts'
import type { Tables } from '../src/store/database.ts'
import {
  type AuthFixture,
  authFixture,
  credentials,
  login,
  mailedToken,
  password,
  refusal,
  register,
} from './auth-fixture.ts'

let auth: AuthFixture
beforeAll(async () => {
  auth = await authFixture(usualCost)
  await auth.start()
})
afterAll(async () => await auth.stop())

/** Everything that the schema holds, as text. */
const dump = async (): Promise<string> => {
  const db = openDatabase<Tables>(auth.databaseUrl, 'auth', testLog('test'))
  const tables = [
    'user',
    'registration',
    'credential',
    'session',
    'signing_key',
    'mail',
    'mail_token',
    'throttle',
  ] as const
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()))
  await db.destroy()
  return JSON.stringify(rows)
}

test('neither the log nor the database holds a password, a token or a key in clear', async () => {
  const { email } = await register(auth)
  const verifying = await mailedToken(auth, email)
  await sendRequest(auth.gateway, requestPasswordReset, { email, address: '' })
  const resetting = await mailedToken(auth, email, 'reset-password')
  const first = await login(auth.gateway, email)
  const second = await sendRequest(auth.gateway, refreshSession, { refreshToken: first.refreshToken })
  await sendRequest(auth.gateway, refreshSession, { refreshToken: second.refreshToken })
  const wrongPassword = 'CANARY-wrong-password'
  expect(
    await refusal(
      sendRequest(auth.gateway, createSession, { ...credentials(email), password: wrongPassword }),
    ),
  ).toBe('invalid_login')
  expect(
    await refusal(
      sendRequest(auth.gateway, createSession, { ...credentials('\0'), password: wrongPassword }),
    ),
  ).toBe('invalid_request')
  expect(await refusal(sendRequest(auth.gateway, refreshSession, first))).toBe('unauthorized')

  const tokens = [first, second].flatMap(({ accessToken, refreshToken }) => [accessToken, refreshToken])
  const proofs = tokens.map((token) => token.split('.').at(-1) ?? token)
  const kekBytes = auth.kek.split(':')[1] ?? auth.kek
  const stored = `${auth.lines.join('\n')}\n${await dump()}`
  for (const secret of [password, wrongPassword, kekBytes, verifying, resetting, ...tokens, ...proofs]) {
    expect(stored).not.toContain(secret)
  }
  expect(stored).not.toContain('"d":')
  expect(stored).toContain('$argon2id$v=19$m=65536,t=3,p=1$')
})
