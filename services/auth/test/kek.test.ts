import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sendRequest } from '@tripline/kit/bus/request'
import { generateKek } from '@tripline/kit/crypto/envelope'
import { listSigningKeys, refreshSession } from '@tripline/proto/auth-request'
import { testLog } from '@tripline/testkit/log'
import { decodeProtectedHeader } from 'jose'
import { rewrapSecrets } from '../src/rewrap.ts'
import { type AuthFixture, authFixture, login, register } from './auth-fixture.ts'

let auth: AuthFixture
beforeAll(async () => {
  auth = await authFixture()
})
afterAll(async () => await auth.stop())

test('a KEK is replaced without a login, and the old one is needed no more', async () => {
  const first = await auth.start()
  const { email } = await register(auth)
  const { refreshToken } = await login(auth.gateway, email)
  const { keys: before } = await sendRequest(auth.gateway, listSigningKeys, {})
  const newer = generateKek('newer')

  await first.stop()
  const second = await auth.start({ KEK: `${newer},${auth.kek}` })
  const next = await sendRequest(auth.gateway, refreshSession, { refreshToken })
  await rewrapSecrets({ DATABASE_URL: auth.databaseUrl, KEK: `${newer},${auth.kek}` }, testLog('auth'))

  await second.stop()
  await auth.start({ KEK: newer })
  const last = await sendRequest(auth.gateway, refreshSession, { refreshToken: next.refreshToken })
  expect((await sendRequest(auth.gateway, listSigningKeys, {})).keys).toEqual(before)
  expect(decodeProtectedHeader(last.accessToken).kid).toBe(before[0]?.['kid'])
})
