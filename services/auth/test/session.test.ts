import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { subscribe } from '@tripline/kit/bus/bus'
import { sendRequest } from '@tripline/kit/bus/request'
import {
  createSession,
  endOtherSessions,
  endSession,
  getUser,
  listSessions,
  listSigningKeys,
  refreshSession,
  type Session,
  type Tokens,
  type User,
} from '@tripline/proto/auth-request'
import { SessionId } from '@tripline/proto/id'
import { sessionEndedSubject } from '@tripline/proto/subject'
import { waitFor } from '@tripline/testkit/wait-for'
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose'
import {
  type AuthFixture,
  authFixture,
  credentials,
  login,
  password,
  refusal,
  register,
} from './auth-fixture.ts'

const dayMs = 86_400_000

let auth: AuthFixture
let user: User
beforeAll(async () => {
  auth = await authFixture()
  await auth.start()
  user = await register(auth)
})
afterAll(async () => await auth.stop())

const refresh = async ({ refreshToken }: { refreshToken: string }): Promise<Tokens> =>
  await sendRequest(auth.gateway, refreshSession, { refreshToken })
const sessionOf = ({ accessToken }: Tokens): SessionId => SessionId.parse(decodeJwt(accessToken)['sid'])
const end = async (tokens: Tokens): Promise<unknown> =>
  await sendRequest(auth.gateway, endSession, { userId: user.id, sessionId: sessionOf(tokens) })
const askUser = async (tokens: Tokens): Promise<unknown> =>
  await sendRequest(auth.gateway, getUser, { userId: user.id, sessionId: sessionOf(tokens) })

describe('logging in', () => {
  test('works: the access token verifies with the published keys and says whose it is', async () => {
    const { accessToken } = await login(auth.gateway, user.email.toUpperCase())
    const { keys } = await sendRequest(auth.gateway, listSigningKeys, {})
    const { payload, protectedHeader } = await jwtVerify(
      accessToken,
      createLocalJWKSet({ keys } as unknown as JSONWebKeySet),
      { algorithms: ['EdDSA'], issuer: 'tripline', audience: 'tripline-api', typ: 'at+jwt' },
    )
    expect(payload).toMatchObject({ sub: user.id, sid: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(Number(payload.exp) - Number(payload.iat)).toBe(600)
    expect(protectedHeader.kid).toBe(keys[0]?.['kid'])
  })

  test('works: each login is a session of its own', async () => {
    const [one, other] = [await login(auth.gateway, user.email), await login(auth.gateway, user.email)]
    await end(one)
    expect(await refusal(askUser(one))).toBe('unauthorized')
    expect(await askUser(other)).toEqual(user)
  })

  test('refuses a wrong password and an unknown email with the same words', async () => {
    const attempts = [
      { ...credentials(user.email), password: `${password}!` },
      credentials('nobody@example.com'),
    ]
    const refusals = await Promise.all(
      attempts.map(
        async (asked) => await sendRequest(auth.gateway, createSession, asked).catch((error) => error),
      ),
    )
    expect(refusals.map((error) => error.code)).toEqual(['invalid_login', 'invalid_login'])
    expect(new Set(refusals.map((error) => error.message)).size).toBe(1)
  })
})

describe('refreshing works', () => {
  test('each refresh gives new tokens of the same session', async () => {
    const first = await login(auth.gateway, user.email)
    const second = await refresh(first)
    const third = await refresh(second)
    expect(new Set([first, second, third].map((tokens) => tokens.refreshToken)).size).toBe(3)
    expect(new Set([first, second, third].map(sessionOf)).size).toBe(1)
    expect(await askUser(third)).toEqual(user)
  })

  test('a token keeps answering with the same successor until that is used', async () => {
    const first = await login(auth.gateway, user.email)
    const answers = [await refresh(first), await refresh(first), await refresh(first)]
    expect(new Set(answers.map((tokens) => tokens.refreshToken)).size).toBe(1)
  })

  test('tabs that refresh at once all get the same successor and stay logged in', async () => {
    const first = await login(auth.gateway, user.email)
    const tabs = await Promise.all(Array.from({ length: 10 }, () => refresh(first)))
    expect(new Set(tabs.map((tokens) => tokens.refreshToken)).size).toBe(1)
    const again = await Promise.all(tabs.map(refresh))
    expect(new Set(again.map((tokens) => tokens.refreshToken)).size).toBe(1)
  })

  test('two replicas give the same successor', async () => {
    await auth.start()
    const first = await login(auth.gateway, user.email)
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(first)))
    expect(new Set(answers.map((tokens) => tokens.refreshToken)).size).toBe(1)
  })
})

describe('refreshing refuses', () => {
  test('a spent token, and then everything of its session', async () => {
    const first = await login(auth.gateway, user.email)
    const second = await refresh(first)
    const third = await refresh(second)
    expect(await refusal(refresh(first))).toBe('unauthorized')
    expect(await refusal(refresh(second))).toBe('unauthorized')
    expect(await refusal(refresh(third))).toBe('unauthorized')
    expect(await refusal(askUser(third))).toBe('unauthorized')
    expect(auth.lines.filter((line) => line.includes('spent refresh token'))).toHaveLength(1)
    expect((await auth.smtp.mailTo(user.email, /for your safety/)).text).not.toContain('token=')
  })

  test('the token of a session that has ended', async () => {
    const tokens = await login(auth.gateway, user.email)
    await end(tokens)
    await end(tokens)
    expect(await refusal(refresh(tokens))).toBe('unauthorized')
  })

  test('a token that was changed anywhere, without harm to the session', async () => {
    const { refreshToken } = await login(auth.gateway, user.email)
    const changed = Array.from(refreshToken, (character, index) => {
      const other = character === 'a' ? 'b' : 'a'
      return `${refreshToken.slice(0, index)}${other}${refreshToken.slice(index + 1)}`
    })
    const later = refreshToken.replace('.0.', '.1.')
    const nonsense = ['', '.', '..', 'x'.repeat(10_000), `${refreshToken}.`, `${refreshToken}\0`]
    const outcomes = []
    for (const text of [...changed, later, ...nonsense]) {
      outcomes.push(await refusal(refresh({ refreshToken: text })))
    }
    expect(new Set(outcomes)).toEqual(new Set(['unauthorized']))
    expect(await refusal(refresh({ refreshToken }))).toBe('not refused')
  })

  test("protects: a session's proof is worth nothing in another session", async () => {
    const [mine, other] = [await login(auth.gateway, user.email), await login(auth.gateway, user.email)]
    const [, , proof] = other.refreshToken.split('.')
    const mixed = mine.refreshToken.replace(/[^.]+$/, proof ?? '')
    expect(await refusal(refresh({ refreshToken: mixed }))).toBe('unauthorized')
  })
})

describe('a session ends by itself', () => {
  test('when it was not refreshed for seven days', async () => {
    const [idle, busy] = [await login(auth.gateway, user.email), await login(auth.gateway, user.email)]
    auth.pass(6 * dayMs)
    const { refreshToken } = await refresh(busy)
    auth.pass(2 * dayMs)
    expect(await refusal(refresh(idle))).toBe('unauthorized')
    expect(await refusal(askUser(idle))).toBe('unauthorized')
    expect(await refusal(refresh({ refreshToken }))).toBe('not refused')
  })

  test('thirty days after its login, however much it was used', async () => {
    let tokens = await login(auth.gateway, user.email)
    for (let day = 0; day < 29; day++) {
      auth.pass(dayMs)
      tokens = await refresh(tokens)
    }
    auth.pass(dayMs)
    expect(await refusal(refresh(tokens))).toBe('unauthorized')
  })
})

describe('the sessions of a user', () => {
  const list = async (tokens: Tokens): Promise<Session[]> =>
    (await sendRequest(auth.gateway, listSessions, { userId: user.id, sessionId: sessionOf(tokens) }))
      .sessions

  test('are listed with the address and the browser that opened them, the last used first', async () => {
    const phone = await login(auth.gateway, user.email, { address: '203.0.113.7', userAgent: 'Phone/1' })
    auth.pass(1000)
    const desktop = await login(auth.gateway, user.email, { address: '203.0.113.8', userAgent: 'Desk/1' })
    const [first, second] = await list(desktop)
    expect(first).toMatchObject({ id: sessionOf(desktop), address: '203.0.113.8', userAgent: 'Desk/1' })
    expect(second).toMatchObject({ id: sessionOf(phone), address: '203.0.113.7', userAgent: 'Phone/1' })
    auth.pass(1000)
    await refresh(phone)
    expect((await list(desktop))[0]?.id).toBe(sessionOf(phone))
    await end(desktop)
    expect(await refusal(list(desktop))).toBe('unauthorized')
    expect((await list(phone)).map(({ id }) => id)).not.toContain(sessionOf(desktop))
  })

  test('end, and that is published at once to all that verify access tokens', async () => {
    const received: unknown[] = []
    const stop = subscribe(auth.gateway, sessionEndedSubject, (text) => received.push(JSON.parse(text)))
    const [mine, other] = [await login(auth.gateway, user.email), await login(auth.gateway, user.email)]
    await end(other)
    await waitFor(() => received.length > 0)
    expect(received).toEqual([{ sessionId: sessionOf(other) }])
    await sendRequest(auth.gateway, endOtherSessions, { userId: user.id, sessionId: sessionOf(mine) })
    expect((await list(mine)).map(({ id }) => id)).toEqual([sessionOf(mine)])
    stop()
  })

  test("protects another user's: it is not found, and goes on", async () => {
    const stranger = await register(auth)
    const theirs = await login(auth.gateway, stranger.email)
    const ending = sendRequest(auth.gateway, endSession, { userId: user.id, sessionId: sessionOf(theirs) })
    expect(await refusal(ending)).toBe('not_found')
    const mine = await login(auth.gateway, user.email)
    await sendRequest(auth.gateway, endOtherSessions, { userId: user.id, sessionId: sessionOf(mine) })
    expect((await list(mine)).map(({ id }) => id)).toEqual([sessionOf(mine)])
    expect(await refusal(refresh(theirs))).toBe('not refused')
    const spying = { userId: user.id, sessionId: sessionOf(theirs) }
    expect(await refusal(sendRequest(auth.gateway, listSessions, spying))).toBe('unauthorized')
  })
})
