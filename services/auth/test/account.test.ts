import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sendRequest } from '@tripline/kit/bus/request'
import {
  endSession,
  getUser,
  registerUser,
  resendVerification,
  type User,
  verifyEmail,
} from '@tripline/proto/auth-request'
import { UserId } from '@tripline/proto/id'
import { waitFor } from '@tripline/testkit/wait-for'
import { decodeJwt } from 'jose'
import {
  type AuthFixture,
  authFixture,
  login,
  mailedToken,
  password,
  refusal,
  register,
  registration,
} from './auth-fixture.ts'

const hourMs = 3_600_000

let auth: AuthFixture
beforeAll(async () => {
  auth = await authFixture()
  await auth.start()
})
afterAll(async () => await auth.stop())

const apply = async (given: Partial<User> & { password?: string }): Promise<User> =>
  await sendRequest(auth.gateway, registerUser, registration(given))
const verify = async (token: string, given = password): Promise<{ email: string }> =>
  await sendRequest(auth.gateway, verifyEmail, { token, password: given })

describe('registering works', () => {
  test('a new user has the given fields and an id', async () => {
    const user = await register(auth, { email: 'Ada@Example.com', username: 'ada' })
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
    expect(await register(auth, { email: 'grace@example.com' })).toMatchObject({ username: 'grace' })
  })

  test('a taken username is made unique, in any spelling of upper and lower case', async () => {
    const users = []
    for (const username of ['Bob', 'bob', 'BOB']) users.push(await register(auth, { username }))
    expect(users.map((user) => user.username)).toEqual(['Bob', 'bob2', 'BOB3'])
  })

  test('many who wish for one username at once all get one of their own', async () => {
    const wishes = Array.from({ length: 8 }, () => register(auth, { username: 'crowd' }))
    const users = await Promise.all(wishes)
    expect(new Set(users.map((user) => user.username)).size).toBe(8)
  })
})

describe('registering protects', () => {
  test('the answer for a known email is like that for a new one; the mail notifies its owner, who keeps the account', async () => {
    const user = await register(auth, { email: 'taken@example.com', username: 'taken' })
    const again = await apply({ email: 'TAKEN@example.com', username: 'taken' })
    expect(Object.keys(again)).toEqual(Object.keys(await apply({ email: 'new@example.com' })))
    expect([again.username, again.id === user.id]).toEqual(['taken', false])
    const { subject, text, html } = await auth.smtp.mailTo('taken@example.com', /already/)
    expect(subject).toBe('You already have a Tripline account')
    expect(`${text}${html}`).not.toContain('token=')
    expect(await refusal(login(auth.gateway, user.email))).toBe('not refused')
  })

  test('of many who register one email, the one whose link is followed gets the account', async () => {
    await Promise.all(Array.from({ length: 5 }, () => apply({ email: 'race@example.com' })))
    await auth.smtp.mailTo('race@example.com')
    const lastPassword = 'the password of the last'
    const last = await apply({ email: 'race@example.com', firstName: 'Last', password: lastPassword })
    const token = await tokenOf(last, 6)
    expect(await verify(token, lastPassword)).toEqual({ email: 'race@example.com' })
    expect(await refusal(login(auth.gateway, 'race@example.com'))).toBe('invalid_login')
    const right = { password: lastPassword }
    expect(await refusal(login(auth.gateway, 'race@example.com', right))).toBe('not refused')
    for (const other of await tokensTo('race@example.com')) {
      expect(await refusal(verify(other))).toBe(other === token ? 'not refused' : 'invalid_token')
    }
  })

  test('nothing of the typed text but the address is in the mail to somebody who may not have typed it', async () => {
    await apply({
      email: 'spammed@example.com',
      firstName: 'https://evil.example',
      lastName: '<b>',
      username: 'evil',
    })
    const { subject, text, html } = await auth.smtp.mailTo('spammed@example.com')
    expect(`${subject}${text}${html}`).not.toMatch(/evil|<b>/)
  })

  test('text that no column can hold is refused', async () => {
    expect(await refusal(apply({ firstName: 'A\0da' }))).toBe('invalid_request')
  })

  async function tokensTo(address: string): Promise<string[]> {
    const mails = auth.smtp.mails.filter(({ to }) => to === address)
    return mails.map(({ text }) => /token=([\w-]+)/.exec(text)?.[1] ?? '')
  }

  /** Mails of one moment come in any order, so the one of this registration is found by its newest arrival. */
  async function tokenOf({ email }: User, mails: number): Promise<string> {
    await auth.smtp.mailTo(email)
    await waitFor(async () => (await tokensTo(email)).length === mails)
    return (await tokensTo(email))[0] ?? ''
  }
})

describe('verifying an email', () => {
  test('comes before the first login, which says so after the right password only', async () => {
    const { email } = await apply({})
    const early = await login(auth.gateway, email).catch((error) => error)
    expect([early.code, early.message]).toEqual(['unverified', 'Please verify your email first'])
    expect(await refusal(login(auth.gateway, email, { password: 'wrong' }))).toBe('invalid_login')
    await verify(await mailedToken(auth, email))
    expect(await refusal(login(auth.gateway, email))).toBe('not refused')
  })

  test('works once, and for an hour says again that it did', async () => {
    const { email } = await apply({})
    const token = await mailedToken(auth, email)
    const answers = await Promise.all([verify(token), verify(token), verify(token)])
    expect(answers).toEqual([{ email }, { email }, { email }])
    auth.pass(hourMs - 60_000)
    expect(await verify(token)).toEqual({ email })
    auth.pass(120_000)
    expect(await refusal(verify(token))).toBe('invalid_token')
  })

  test("asks for the password of the registration: an account that a stranger prepared becomes nobody's", async () => {
    const strangers = 'the password of a stranger'
    const { email } = await apply({ password: strangers })
    const token = await mailedToken(auth, email)
    const refused = await verify(token, 'what its owner would choose').catch((error) => error)
    expect([refused.code, refused.message]).toEqual([
      'wrong_password',
      'This is not the password that was chosen at the registration of this link',
    ])
    expect(await refusal(login(auth.gateway, email, { password: strangers }))).toBe('unverified')
    const before = auth.smtp.mails.length
    await apply({ email })
    await waitFor(() => auth.smtp.mails.length > before)
    expect(await verify(await mailedToken(auth, email))).toEqual({ email })
    expect(await refusal(login(auth.gateway, email, { password: strangers }))).toBe('invalid_login')
    expect(await refusal(verify(token, strangers))).toBe('invalid_token')
  })

  test('does not work after a day; another link can be had and works', async () => {
    const { email } = await apply({})
    const token = await mailedToken(auth, email)
    auth.pass(24 * hourMs)
    expect(await refusal(verify(token))).toBe('invalid_token')
    expect(await refusal(login(auth.gateway, email))).toBe('unverified')
    const before = auth.smtp.mails.length
    await sendRequest(auth.gateway, resendVerification, { email: email.toUpperCase(), address: '' })
    await waitFor(() => auth.smtp.mails.length > before)
    const other = /token=([\w-]+)/.exec(auth.smtp.mails[0]?.text ?? '')?.[1] ?? ''
    expect(other).not.toBe(token)
    expect(await verify(other)).toEqual({ email })
  })

  test('refuses a text that is no token, and a token for something else', async () => {
    for (const token of ['', 'x', 'A'.repeat(43), '\0', 'x'.repeat(100_000)]) {
      expect(await refusal(verify(token))).toBe('invalid_token')
    }
  })

  test('another link is mailed only to a user who waits for one', async () => {
    const user = await register(auth)
    const before = auth.smtp.offered()
    for (const email of [user.email, 'nobody@example.com']) {
      await sendRequest(auth.gateway, resendVerification, { email, address: '' })
    }
    const { email } = await apply({})
    await auth.smtp.mailTo(email)
    expect(auth.smtp.offered()).toBe(before + 1)
  })
})

describe('the user of an access token', () => {
  const claimsOf = async (email: string): Promise<{ userId: UserId; sessionId: string }> => {
    const { sub, sid } = decodeJwt((await login(auth.gateway, email)).accessToken)
    return { userId: UserId.parse(sub), sessionId: String(sid) }
  }

  test('works: is returned while the session lives', async () => {
    const user = await register(auth)
    expect(await sendRequest(auth.gateway, getUser, await claimsOf(user.email))).toEqual(user)
  })

  test('refuses once the session has ended', async () => {
    const claims = await claimsOf((await register(auth)).email)
    await sendRequest(auth.gateway, endSession, claims)
    expect(await refusal(sendRequest(auth.gateway, getUser, claims))).toBe('unauthorized')
  })

  test('refuses a session that never was', async () => {
    const claims = await claimsOf((await register(auth)).email)
    const elsewhere = { ...claims, sessionId: '0198c0de-0000-7000-8000-000000000000' }
    expect(await refusal(sendRequest(auth.gateway, getUser, elsewhere))).toBe('unauthorized')
  })

  test('protects: a session shows nobody but its own user', async () => {
    const [mine, other] = [await register(auth), await register(auth)]
    const { sessionId } = await claimsOf(mine.email)
    expect(await refusal(sendRequest(auth.gateway, getUser, { userId: other.id, sessionId }))).toBe(
      'unauthorized',
    )
  })
})
