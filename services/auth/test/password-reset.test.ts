import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sendRequest, serve } from '@tripline/kit/bus/request'
import { RefusedError } from '@tripline/kit/refused-error'
import {
  refreshSession,
  requestPasswordReset,
  resetPassword,
  verifyEmail,
} from '@tripline/proto/auth-request'
import { renewWebhook } from '@tripline/proto/key-request'
import {
  type AuthFixture,
  authFixture,
  login,
  mailedToken,
  password,
  refusal,
  register,
} from './auth-fixture.ts'

const hourMs = 3_600_000
const newPassword = 'another horse, another staple'

let auth: AuthFixture
beforeAll(async () => {
  auth = await authFixture()
  await auth.start()
})
afterAll(async () => await auth.stop())

const request = async (email: string): Promise<string> => {
  await sendRequest(auth.gateway, requestPasswordReset, { email, address: '' })
  return await mailedToken(auth, email, 'reset-password')
}
const reset = async (token: string): Promise<string> =>
  await refusal(sendRequest(auth.gateway, resetPassword, { token, newPassword }))

describe('the webhook address', () => {
  test('is renewed with a reset, by one renewal until keys have done it, and the user is mailed then', async () => {
    const { id, email } = await register(auth)
    const asked: unknown[] = []
    const stop = serve(auth.keys, renewWebhook, async (renewal) => {
      asked.push(renewal)
      if (asked.length === 1) throw new RefusedError('unavailable', 'not now')
      return {}
    })
    await auth.keys.connection.flush()
    expect(await reset(await request(email))).toBe('not refused')
    expect(asked).toEqual([{ userId: id, renewalId: expect.any(String) }])
    expect(auth.smtp.mails.filter(({ subject }) => subject.includes('webhook'))).toEqual([])
    auth.pass(10_000)
    const { text } = await auth.smtp.mailTo(email, /webhook URL was replaced/)
    expect(text).toContain('https://tripline.example/webhook\n')
    // On a machine that stalls an answer may come too late, and is asked for once more.
    expect(asked.length).toBeGreaterThan(1)
    for (const renewal of asked) expect(renewal).toEqual(asked[0])
    stop()
  })

  test('is renewed once keys are back, and stays where that was asked', async () => {
    const { id, email } = await register(auth)
    const other = await register(auth)
    const unchanged = { token: await request(other.email), newPassword, newWebhookAddress: false }
    expect(await refusal(sendRequest(auth.gateway, resetPassword, unchanged))).toBe('not refused')
    expect(await reset(await request(email))).toBe('not refused')
    const asked: string[] = []
    const stop = serve(auth.keys, renewWebhook, async ({ userId }) => {
      asked.push(userId)
      return {}
    })
    await auth.keys.connection.flush()
    auth.pass(10_000)
    await auth.smtp.mailTo(email, /webhook URL was replaced/)
    expect(new Set(asked)).toEqual(new Set([id]))
    stop()
  })
})

describe('resetting a password', () => {
  test('works once, ends every session, and notifies the user', async () => {
    const { email } = await register(auth)
    const sessions = [await login(auth.gateway, email), await login(auth.gateway, email)]
    const token = await request(email.toUpperCase())
    expect(await reset(token)).toBe('not refused')
    for (const { refreshToken } of sessions) {
      expect(await refusal(sendRequest(auth.gateway, refreshSession, { refreshToken }))).toBe('unauthorized')
    }
    expect(await refusal(login(auth.gateway, email))).toBe('invalid_login')
    expect(await refusal(login(auth.gateway, email, { password: newPassword }))).toBe('not refused')
    expect(await reset(token)).toBe('invalid_token')
    expect((await auth.smtp.mailTo(email, /was changed/)).text).not.toContain('token=')
  })

  test('works for one of many who use the link at once', async () => {
    const token = await request((await register(auth)).email)
    const outcomes = await Promise.all(Array.from({ length: 5 }, async () => await reset(token)))
    expect(outcomes.filter((outcome) => outcome === 'not refused')).toHaveLength(1)
  })

  test('spends the other links of the user too, and nobody else loses one', async () => {
    const [mine, other] = [await register(auth), await register(auth)]
    const [first, theirs] = [await request(mine.email), await request(other.email)]
    const before = auth.smtp.offered()
    await sendRequest(auth.gateway, requestPasswordReset, { email: mine.email, address: '' })
    await auth.smtp.nextAfter(before)
    const second = await mailedToken(auth, mine.email, 'reset-password')
    expect(second).not.toBe(first)
    expect(await reset(second)).toBe('not refused')
    expect([await reset(first), await reset(theirs)]).toEqual(['invalid_token', 'not refused'])
  })

  test('does not work after an hour, with nonsense, or with a link for something else', async () => {
    const { email } = await register(auth)
    const verifying = await mailedToken(auth, email)
    const token = await request(email)
    expect(await refusal(sendRequest(auth.gateway, verifyEmail, { token, password }))).toBe('invalid_token')
    auth.pass(hourMs)
    for (const text of [token, verifying, '', '\0', 'A'.repeat(43)]) {
      expect(await reset(text)).toBe('invalid_token')
    }
    expect(await refusal(login(auth.gateway, email, { password }))).toBe('not refused')
  })

  test('protects: nobody is mailed for an email without account', async () => {
    const before = auth.smtp.offered()
    await sendRequest(auth.gateway, requestPasswordReset, { email: 'nobody@example.com', address: '' })
    await request((await register(auth)).email)
    expect(auth.smtp.offered()).toBe(before + 2)
  })
})
