import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sendRequest } from '@tripline/kit/bus/request'
import {
  createSession,
  joinWaitlist,
  registerUser,
  requestPasswordReset,
  resendVerification,
  resetPassword,
  verifyEmail,
} from '@tripline/proto/auth-request'
import {
  type AuthFixture,
  authFixture,
  credentials,
  mailedToken,
  refusal,
  register,
  registration,
} from './auth-fixture.ts'

const hourMs = 3_600_000

let auth: AuthFixture
beforeAll(async () => {
  // Logins take long enough to be in each other's way.
  auth = await authFixture({ memoryCost: 16_384, timeCost: 1, parallelism: 1 })
  const limits = {
    LOGIN_FAILURES_PER_ACCOUNT: '6',
    LOGIN_FAILURES_PER_ACCOUNT_AND_ADDRESS: '3',
    LOGIN_FAILURES_PER_ADDRESS: '8',
    MAILS_PER_RECIPIENT: '3',
    MAILS_PER_ADDRESS: '5',
  }
  await Promise.all([auth.start(limits), auth.start(limits)])
})
afterAll(async () => await auth.stop())

let addresses = 0
const newAddress = (): string => `2001:db8:0:${(++addresses).toString(16)}::1`
const attempt = async (
  email: string,
  address: string,
  given: object = { password: 'wrong' },
): Promise<string> =>
  await refusal(sendRequest(auth.gateway, createSession, { ...credentials(email), address, ...given }))
const attempts = async (count: number, act: () => Promise<string>): Promise<Record<string, number>> => {
  const outcomes = await Promise.all(Array.from({ length: count }, act))
  return Object.fromEntries(
    [...new Set(outcomes)].map((outcome) => [outcome, outcomes.filter((other) => other === outcome).length]),
  )
}
const newUser = async (): Promise<string> => (await register(auth, { address: newAddress() } as object)).email

describe('failed logins are counted', () => {
  test('for an account and an address, also when they come at once to several replicas', async () => {
    const [email, address] = [await newUser(), newAddress()]
    const outcomes = await attempts(10, async () => await attempt(email, address))
    expect(outcomes).toEqual({ invalid_login: 3, rate_limited: 7 })
    expect(await attempt(email, address, {})).toBe('rate_limited')
    expect(await attempt(email, newAddress(), {})).toBe('not refused')
  })

  test('not where there was no room to look at the password, and one account leaves room for others', async () => {
    const [email, other] = [await newUser(), await newUser()]
    const browserTokens: string[] = []
    for (let browser = 0; browser < 40; browser++) {
      const from = { ...credentials(email), address: newAddress() }
      browserTokens.push((await sendRequest(auth.gateway, createSession, from)).browserToken ?? '')
    }
    const address = newAddress()
    const loginFrom = async (browserToken: string): Promise<string> =>
      await attempt(email, address, { browserTokens: [browserToken] })
    for (let round = 0; round < 4; round++) {
      const [ofOther, ...outcomes] = await Promise.all([
        attempt(other, newAddress(), {}),
        ...browserTokens.map(loginFrom),
      ])
      expect(ofOther).toBe('not refused')
      expect(new Set(outcomes)).toEqual(new Set(['not refused', 'rate_limited']))
    }
    for (const browserToken of browserTokens) expect(await loginFrom(browserToken)).toBe('not refused')
  })

  test('for an address, whatever the account, and for its whole range in IPv6', async () => {
    const range = newAddress().replace(/::1$/, '')
    const outcomes = await attempts(12, async () => {
      const host = Math.floor(Math.random() * 65_535).toString(16)
      return await attempt(`${host}@nobody.example`, `${range}:1:2:3:${host}`)
    })
    expect(outcomes).toEqual({ invalid_login: 8, rate_limited: 4 })
  })

  test('for an account, whatever the address, alike whether or not there is one', async () => {
    for (const email of [await newUser(), 'nobody-at-all@example.com']) {
      expect(await attempts(9, async () => await attempt(email, newAddress()))).toEqual({
        invalid_login: 6,
        rate_limited: 3,
      })
    }
  })

  test('and are forgotten little by little', async () => {
    const [email, address] = [await newUser(), newAddress()]
    await attempts(3, async () => await attempt(email, address))
    expect(await attempt(email, address, {})).toBe('rate_limited')
    auth.pass(hourMs / 3)
    expect(await attempt(email, address)).toBe('invalid_login')
    expect(await attempt(email, address)).toBe('rate_limited')
  })

  test('but successes are not', async () => {
    const [email, address] = [await newUser(), newAddress()]
    for (let logins = 0; logins < 12; logins++) expect(await attempt(email, address, {})).toBe('not refused')
  })

  test('for the link of a registration', async () => {
    const email = 'guessed@example.com'
    await sendRequest(auth.gateway, registerUser, { ...registration({ email }), address: newAddress() })
    const token = await mailedToken(auth, email)
    const guess = async () =>
      await refusal(sendRequest(auth.gateway, verifyEmail, { token, password: 'a guess' }))
    expect(await attempts(5, guess)).toEqual({ wrong_password: 3, rate_limited: 2 })
  })

  test('for a browser that was let in before apart from strangers, of any address', async () => {
    const email = await newUser()
    const { browserToken = '' } = await sendRequest(auth.gateway, createSession, credentials(email))
    const known = { browserTokens: ["another account's", browserToken] }
    const address = newAddress()
    await attempts(9, async () => await attempt(email, newAddress()))
    await attempts(9, async () => await attempt('nobody@example.com', address))
    expect(await attempt(email, newAddress(), {})).toBe('rate_limited')
    expect(await attempt(email, address, known)).toBe('not refused')
    const guess = { ...known, password: 'wrong' }
    expect(await attempts(5, async () => await attempt(email, newAddress(), guess))).toEqual({
      invalid_login: 3,
      rate_limited: 2,
    })
    const other = await newUser()
    await attempts(9, async () => await attempt(other, newAddress()))
    expect(await attempt(other, newAddress(), known)).toBe('rate_limited')
  })

  test('and a new password lets in again an owner whom strangers have locked out', async () => {
    const email = await newUser()
    await attempts(9, async () => await attempt(email, newAddress()))
    expect(await attempt(email, newAddress(), {})).toBe('rate_limited')
    await sendRequest(auth.gateway, requestPasswordReset, { email, address: newAddress() })
    const newPassword = 'a password of the owner'
    const token = await mailedToken(auth, email, 'reset-password')
    await sendRequest(auth.gateway, resetPassword, { token, newPassword })
    expect(await attempt(email, newAddress(), { password: newPassword })).toBe('not refused')
  })
})

describe('requests that send mails are counted', () => {
  test('for a recipient, for any kind of mail and whether or not there is an account', async () => {
    const acts = [
      async (email: string) =>
        await refusal(sendRequest(auth.gateway, requestPasswordReset, { email, address: newAddress() })),
      async (email: string) =>
        await refusal(sendRequest(auth.gateway, resendVerification, { email, address: newAddress() })),
      async (email: string) =>
        await refusal(
          sendRequest(auth.gateway, registerUser, { ...registration({ email }), address: newAddress() }),
        ),
    ]
    const email = 'mailed@example.com'
    const outcomes = []
    for (const act of [...acts, ...acts]) outcomes.push(await act(email))
    expect(outcomes).toEqual([...acts.map(() => 'not refused'), ...acts.map(() => 'rate_limited')])
  })

  test('for an address', async () => {
    const address = newAddress()
    let asked = 0
    const outcomes = await attempts(7, async () => {
      const email = `somebody-${asked++}@example.com`
      return await refusal(sendRequest(auth.gateway, requestPasswordReset, { email, address }))
    })
    expect(outcomes).toEqual({ 'not refused': 5, rate_limited: 2 })
  })
})

describe('the waitlist', () => {
  test('takes an email once, in any spelling, and says whether it is new', async () => {
    const join = async (email: string) =>
      await sendRequest(auth.gateway, joinWaitlist, { email, address: newAddress() })
    const answers = [
      await join('Wait@example.com'),
      await join('wait@example.com'),
      await join('other@example.com'),
    ]
    expect(answers).toEqual([{ isNew: true }, { isNew: false }, { isNew: true }])
  })

  test('cannot be asked through by one address', async () => {
    const address = newAddress()
    let asked = 0
    const outcomes = await attempts(8, async () => {
      const email = `guess-${asked++}@example.com`
      return await refusal(sendRequest(auth.gateway, joinWaitlist, { email, address }))
    })
    expect(outcomes).toEqual({ 'not refused': 5, rate_limited: 3 })
  })
})

test('a refusal says how long to wait', async () => {
  const [email, address] = [await newUser(), newAddress()]
  await attempts(4, async () => await attempt(email, address))
  const refused = await sendRequest(auth.gateway, createSession, { ...credentials(email), address }).catch(
    (error) => error,
  )
  expect(refused.message).toBe('Too many attempts, please try again in 20 minutes')
  expect(refused.retryAfterS).toBeGreaterThan(1000)
  expect(refused.retryAfterS).toBeLessThanOrEqual(1200)
})
