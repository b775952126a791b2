import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sendRequest } from '@tripline/kit/bus/request'
import type { HttpService } from '@tripline/kit/lifecycle'
import { openDatabase } from '@tripline/kit/postgres'
import { listSigningKeys } from '@tripline/proto/auth-request'
import { testLog } from '@tripline/testkit/log'
import { decodeProtectedHeader } from 'jose'
import type { Tables } from '../src/store/database.ts'
import { type AuthFixture, authFixture, login, register } from './auth-fixture.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

let auth: AuthFixture
let replicas: HttpService[]
let email: string
beforeAll(async () => {
  auth = await authFixture()
  replicas = await Promise.all([auth.start(), auth.start(), auth.start()])
  email = (await register(auth)).email
})
afterAll(async () => await auth.stop())

const publishedIds = async (): Promise<unknown[]> => {
  const { keys } = await sendRequest(auth.gateway, listSigningKeys, {})
  return keys.map((key) => key['kid'])
}

const signingId = async (): Promise<unknown> =>
  decodeProtectedHeader((await login(auth.gateway, email)).accessToken).kid

describe('signing keys', () => {
  test('works: replicas that start together agree on one current key', async () => {
    expect(replicas).toHaveLength(3)
    const answers = await Promise.all(Array.from({ length: 12 }, publishedIds))
    expect(new Set(answers.flat()).size).toBe(1)
    expect(answers[0]).toHaveLength(1)
  })

  test('works: the next key is published before it signs, the one before stays while its tokens live', async () => {
    const [first] = await publishedIds()
    auth.pass(30 * dayMs - 15 * minuteMs)
    const answers = await Promise.all(Array.from({ length: 12 }, publishedIds))
    const [next] = answers[0] ?? []
    expect(next).not.toBe(first)
    expect(new Set(answers.map(String))).toEqual(new Set([`${next},${first}`]))
    auth.pass(14 * minuteMs)
    expect(await signingId()).toBe(first)
    auth.pass(minuteMs)
    expect([await signingId(), await publishedIds()]).toEqual([next, [next, first]])
    auth.pass(11 * minuteMs)
    expect(await publishedIds()).toEqual([next])
    expect(await storedIds()).toEqual([next])
  })

  test('works: a key that was taken away is replaced at once', async () => {
    const [gone] = await publishedIds()
    await withDatabase(async (db) => await db.deleteFrom('signing_key').execute())
    const id = await signingId()
    expect(id).not.toBe(gone)
    expect(await publishedIds()).toEqual([id])
  })

  test('protects: nothing private is published', async () => {
    const { keys } = await sendRequest(auth.gateway, listSigningKeys, {})
    expect(keys.map((key) => Object.keys(key).toSorted())).toEqual([['alg', 'crv', 'kid', 'kty', 'use', 'x']])
  })
})

async function storedIds(): Promise<string[]> {
  const rows = await withDatabase(async (db) => await db.selectFrom('signing_key').select('id').execute())
  return rows.map(({ id }) => id)
}

async function withDatabase<Value>(
  act: (db: ReturnType<typeof openDatabase<Tables>>) => Promise<Value>,
): Promise<Value> {
  const db = openDatabase<Tables>(auth.databaseUrl, 'auth', testLog('test'))
  try {
    return await act(db)
  } finally {
    await db.destroy()
  }
}
