import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { HttpService } from '@tripline/kit/lifecycle'
import { openDatabase } from '@tripline/kit/postgres'
import { ask } from '@tripline/kit/request'
import { listSigningKeys } from '@tripline/proto/auth-request'
import { testLog } from '@tripline/testkit/log'
import { decodeProtectedHeader } from 'jose'
import type { Tables } from '../src/store/database.ts'
import { type AuthFixture, authFixture, login, register } from './auth-fixture.ts'

let auth: AuthFixture
let replicas: HttpService[]
beforeAll(async () => {
  auth = await authFixture()
  replicas = await Promise.all([auth.start(), auth.start(), auth.start()])
})
afterAll(async () => await auth.stop())

const publishedIds = async (): Promise<unknown[]> => {
  const { keys } = await ask(auth.gateway, listSigningKeys, {})
  return keys.map((key) => key['kid'])
}

const retireSigningKeys = async (): Promise<void> => {
  const db = openDatabase<Tables>(auth.databaseUrl, 'auth', testLog('test'))
  await db.updateTable('signing_key').set({ retired_at: new Date().toISOString() }).execute()
  await db.destroy()
}

describe('signing keys', () => {
  test('works: replicas that start together agree on one current key', async () => {
    expect(replicas).toHaveLength(3)
    const answers = await Promise.all(Array.from({ length: 12 }, publishedIds))
    expect(new Set(answers.flat()).size).toBe(1)
    expect(answers[0]).toHaveLength(1)
  })

  test('works: a retired key stays published while its tokens live, and signs nothing', async () => {
    const [retired] = await publishedIds()
    await retireSigningKeys()
    const { email } = await register(auth.gateway)
    const { kid } = decodeProtectedHeader((await login(auth.gateway, email)).accessToken)
    expect(kid).not.toBe(retired)
    expect(await publishedIds()).toEqual([kid, retired])
    auth.pass(12 * 60_000)
    expect(await publishedIds()).toEqual([kid])
  })

  test('protects: nothing private is published', async () => {
    const { keys } = await ask(auth.gateway, listSigningKeys, {})
    expect(keys.map((key) => Object.keys(key).toSorted())).toEqual([['alg', 'crv', 'kid', 'kty', 'use', 'x']])
  })
})
