import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sendRequest } from '@tripline/kit/bus/request'
import { getUser, registerUser } from '@tripline/proto/auth-request'
import { SessionId, UserId } from '@tripline/proto/id'
import { type Link, link } from '@tripline/testkit/link'
import { waitFor } from '@tripline/testkit/wait-for'
import { decodeJwt } from 'jose'
import { type AuthFixture, authFixture, login, refusal, register, registration } from './auth-fixture.ts'

let auth: AuthFixture
let database: Link
beforeAll(async () => {
  auth = await authFixture()
  database = await link(auth.databaseUrl)
})
afterAll(async () => {
  await auth.stop()
  await database.stop()
})

test('auth starts without its database, is unavailable while it is away, and recovers by itself', async () => {
  database.cut()
  const { port } = await auth.start({ DATABASE_URL: database.url })
  const probe = async (path: string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}${path}`)).status
  expect(await refusal(sendRequest(auth.gateway, registerUser, registration()))).toBe('unavailable')
  expect([await probe('/livez'), await probe('/readyz')]).toEqual([200, 503])

  database.mend()
  await waitFor(async () => (await probe('/readyz')) === 200)
  const user = await register(auth)
  const { sub, sid } = decodeJwt((await login(auth.gateway, user.email)).accessToken)
  const claims = { userId: UserId.parse(sub), sessionId: SessionId.parse(sid) }

  database.cut()
  expect(await refusal(sendRequest(auth.gateway, getUser, claims))).toBe('unavailable')
  await waitFor(async () => (await probe('/readyz')) === 503)
  expect(await probe('/livez')).toBe(200)

  database.mend()
  await waitFor(async () => (await probe('/readyz')) === 200)
  expect(await sendRequest(auth.gateway, getUser, claims)).toEqual(user)
})
