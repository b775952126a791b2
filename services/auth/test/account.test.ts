import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ask } from '@tripline/kit/request'
import { endSession, getUser } from '@tripline/proto/auth-request'
import { UserId } from '@tripline/proto/id'
import { decodeJwt } from 'jose'
import { type AuthFixture, authFixture, login, refusal, register } from './auth-fixture.ts'

let auth: AuthFixture
beforeAll(async () => {
  auth = await authFixture()
  await auth.start()
})
afterAll(async () => await auth.stop())

describe('registering works', () => {
  test('a new user has what was given and an id', async () => {
    const user = await register(auth.gateway, { email: 'Ada@Example.com', username: 'ada' })
    expect(user).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: 'Ada@Example.com',
      username: 'ada',
      firstName: 'Ada',
      lastName: 'Byron',
      country: 'Italy',
      createdAt: expect.stringMatching(/Z$/),
    })
  })

  test('the username is the part of the email before the @ when none is given', async () => {
    expect(await register(auth.gateway, { email: 'grace@example.com' })).toMatchObject({ username: 'grace' })
  })

  test('a taken username is made unique, in any spelling of upper and lower case', async () => {
    const users = []
    for (const username of ['Bob', 'bob', 'BOB']) users.push(await register(auth.gateway, { username }))
    expect(users.map((user) => user.username)).toEqual(['Bob', 'bob2', 'BOB3'])
  })

  test('many who wish for one username at once all get one of their own', async () => {
    const wishes = Array.from({ length: 12 }, () => register(auth.gateway, { username: 'crowd' }))
    const users = await Promise.all(wishes)
    expect(new Set(users.map((user) => user.username)).size).toBe(12)
  })
})

describe('registering refuses', () => {
  test('an email that is taken, in any spelling of upper and lower case', async () => {
    await register(auth.gateway, { email: 'taken@example.com' })
    expect(await refusal(register(auth.gateway, { email: 'TAKEN@example.com' }))).toBe('conflict')
  })

  test('all but one of many who register one email at once', async () => {
    const attempts = Array.from({ length: 5 }, () => register(auth.gateway, { email: 'race@example.com' }))
    const outcomes = await Promise.all(attempts.map(refusal))
    expect(outcomes.toSorted()).toEqual(['conflict', 'conflict', 'conflict', 'conflict', 'not refused'])
  })

  test('text that no column can hold', async () => {
    expect(await refusal(register(auth.gateway, { firstName: 'A\0da' }))).toBe('invalid_request')
  })
})

describe('the user of an access token', () => {
  const claimsOf = async (email: string): Promise<{ userId: UserId; sessionId: string }> => {
    const { sub, sid } = decodeJwt((await login(auth.gateway, email)).accessToken)
    return { userId: UserId.parse(sub), sessionId: String(sid) }
  }

  test('works: is told while the session lives', async () => {
    const user = await register(auth.gateway)
    expect(await ask(auth.gateway, getUser, await claimsOf(user.email))).toEqual(user)
  })

  test('refuses once the session has ended', async () => {
    const claims = await claimsOf((await register(auth.gateway)).email)
    await ask(auth.gateway, endSession, { sessionId: claims.sessionId })
    expect(await refusal(ask(auth.gateway, getUser, claims))).toBe('unauthorized')
  })

  test('refuses a session that never was', async () => {
    const claims = await claimsOf((await register(auth.gateway)).email)
    const elsewhere = { ...claims, sessionId: '0198c0de-0000-7000-8000-000000000000' }
    expect(await refusal(ask(auth.gateway, getUser, elsewhere))).toBe('unauthorized')
  })

  test('protects: a session shows nobody but its own user', async () => {
    const [mine, other] = [await register(auth.gateway), await register(auth.gateway)]
    const { sessionId } = await claimsOf(mine.email)
    expect(await refusal(ask(auth.gateway, getUser, { userId: other.id, sessionId }))).toBe('unauthorized')
  })
})
