import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SessionView, TokenPair, UserView } from '@tripline/proto/http/auth'
import { type Call, callerOf } from '@tripline/testkit/people/caller'
import { operatorBus } from '@tripline/testkit/people/crowd'
import { logIn, newEmail, newPerson, profile, refresh } from '@tripline/testkit/people/person'
import { mailedToken, verifyEmail } from '@tripline/testkit/people/verify-email'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { waitFor } from '@tripline/testkit/wait-for'
import { type Wire, watchWire } from '@tripline/testkit/wire/wire'
import { openStream } from '../open-stream.ts'

const password = 'correct horse battery staple'
// The limits of this product in an hour.
const limits = { LOGIN_FAILURES_PER_ACCOUNT_AND_ADDRESS: '3', MAILS_PER_RECIPIENT: '4' }

let product: Product
let wire: Wire | undefined
let call: Call
beforeAll(async () => {
  product = await startProduct({ ephemeral: true, env: limits })
  call = callerOf(product.urls.web)
  wire = await watchWire(await operatorBus(product))
}, 120_000)
afterAll(async () => {
  await wire?.stop()
  await product.stop()
})

describe('7: works', () => {
  test('POST /auth/register, POST /auth/verify-email, POST /auth/login, GET /users/me', async () => {
    const email = newEmail()
    const registered = await call('POST /api/auth/register', { body: { ...profile, email, password } })
    const username = email.split('@')[0]
    expect(registered).toMatchObject({ status: 201, body: { ...profile, email, username } })
    const token = await mailedToken(product.urls.web, email, 'verify-email')
    // Decided otherwise than GET with the token: a program that opens links must verify nothing.
    for (const _time of ['once', 'and again']) {
      const verified = await call('POST /api/auth/verify-email', { body: { token, password } })
      expect(verified).toMatchObject({ status: 200, body: { message: 'Email verified successfully', email } })
    }
    const { access_token } = await logIn(product.urls.web, { email, password })
    const me = await call('GET /api/users/me', { token: access_token })
    expect(me.status).toBe(200)
    expect(UserView.parse(me.body)).toMatchObject({ ...profile, email, username })
  })

  test('POST /auth/register makes a username unique that is taken', async () => {
    const local = newEmail().split('@')[0]
    const people = [
      await newPerson(product.urls.web, { email: `${local}@example.com` }),
      await newPerson(product.urls.web, { email: `${local}@example.org` }),
    ]
    const users = await Promise.all(
      people.map(async ({ tokens }) => await call('GET /api/users/me', { token: tokens.access_token })),
    )
    const [first, second] = users.map(({ body }) => UserView.parse(body).username)
    expect(first).toBe(local)
    expect(second).not.toBe(local)
    expect(second?.startsWith(local ?? '')).toBe(true)
  })

  test('POST /auth/refresh', async () => {
    const { tokens } = await newPerson(product.urls.web)
    const refreshed = await refresh(call, tokens)
    expect(refreshed.status).toBe(200)
    const { access_token } = TokenPair.parse(refreshed.body)
    expect((await call('GET /api/users/me', { token: access_token })).status).toBe(200)
  })

  test('POST /auth/password-reset/request and /confirm', async () => {
    const { email, tokens, password: before } = await newPerson(product.urls.web)
    const requested = await call('POST /api/auth/password-reset/request', { body: { email } })
    const neutral = 'If an account exists with that email, we sent a password reset link.'
    expect(requested).toMatchObject({ status: 200, body: { message: neutral } })
    const token = await mailedToken(product.urls.web, email, 'reset-password')
    const webhookOf = async (accessToken: string): Promise<string> =>
      String((await call('GET /api/webhook-config', { token: accessToken })).body['webhook_url'])
    const address = await webhookOf(tokens.access_token)
    const confirmed = await call('POST /api/auth/password-reset/confirm', {
      body: { token, new_password: password },
    })
    const message = 'You can now login with your new password'
    expect(confirmed).toMatchObject({ status: 200, body: { message } })
    const { access_token } = await logIn(product.urls.web, { email, password })
    // Everybody who was in it is out, and so is anybody who copied the webhook's address.
    await waitFor(async () => (await webhookOf(access_token)) !== address)
    await waitFor(async () => (await call(`POST ${new URL(address).pathname}`, { raw: 'x' })).status === 404)
    expect((await refresh(call, tokens)).status).toBe(401)
    const old = await call('POST /api/auth/login', { body: { email, password: before } })
    expect(old.status).toBe(401)
  })

  test('GET /auth/sessions, DELETE /auth/sessions/{id}: the live stream of that one ends, too', async () => {
    const ada = await newPerson(product.urls.web)
    const other = await logIn(product.urls.web, ada)
    const authorization = `Bearer ${other.access_token}`
    const stream = await openStream(new URL('/api/events/stream', product.urls.web), { authorization })
    const token = ada.tokens.access_token
    // A login whose answer was late is begun again, and leaves a session more: each is known by its own token.
    const sessionsOf = async (of: string) =>
      SessionView.array().parse((await call('GET /api/auth/sessions', { token: of })).body)
    const listed = await sessionsOf(token)
    const id = (await sessionsOf(other.access_token)).find(({ is_current }) => is_current)?.id
    expect(listed.filter(({ is_current }) => is_current)).toHaveLength(1)
    expect(listed).toContainEqual(expect.objectContaining({ id, is_current: false }))
    expect((await call(`DELETE /api/auth/sessions/${id}`, { token })).status).toBe(204)
    await waitFor(() => stream.hasEnded())
    expect(stream.text()).toContain('connected')
    expect((await call('GET /api/users/me', { token: other.access_token })).status).toBe(401)
    expect((await refresh(call, other)).status).toBe(401)
    expect((await call('GET /api/users/me', { token })).status).toBe(200)
  })

  test('POST /waitlist', async () => {
    const body = { email: newEmail() }
    // Decided otherwise: an address that is there already gets a 200, which is no error.
    expect(await call('POST /api/waitlist', { body })).toMatchObject({
      status: 201,
      body: { message: "You've been added to the waitlist!" },
    })
    expect(await call('POST /api/waitlist', { body })).toMatchObject({
      status: 200,
      body: { message: "You're already on the waitlist" },
    })
  })
})

const person = { ...profile, email: 'ada@example.com', password }
const validEmail = 'Please enter a valid email address'
const longEnough = 'Password must be at least 8 characters'

describe('5 and 7: refuses', () => {
  test.each([
    ['POST /api/auth/register', { ...person, email: 'ada' }, { email: validEmail }],
    ['POST /api/auth/register', { ...person, email: 'ada@example' }, { email: validEmail }],
    ['POST /api/auth/register', { ...person, password: '1234567' }, { password: longEnough }],
    ['POST /api/waitlist', { email: 'ada' }, { email: validEmail }],
    ['POST /api/auth/password-reset/request', { email: 'ada' }, { email: validEmail }],
    [
      'POST /api/auth/password-reset/confirm',
      { token: 'x', new_password: '1234567' },
      { new_password: longEnough },
    ],
  ])('%s %j', async (route, body, faults) => {
    const detail = Object.entries(faults).map(([field, message]) => ({ field, message }))
    const refused = await call(route, { body })
    expect(refused).toMatchObject({ status: 422, body: { detail, code: 'invalid_request' } })
    expect(refused.body.request_id).toBe(refused.headers.get('x-request-id'))
  })

  test.each([
    ['POST /api/auth/login', ['email', 'password']],
    ['POST /api/auth/register', ['country', 'email', 'first_name', 'last_name', 'password']],
    ['POST /api/auth/refresh', ['refresh_token']],
    ['POST /api/auth/verify-email', ['password', 'token']],
    ['POST /api/auth/password-reset/request', ['email']],
    ['POST /api/auth/password-reset/confirm', ['new_password', 'token']],
    ['POST /api/waitlist', ['email']],
  ])('%s without a required field: %j', async (route, fields) => {
    const { status, body } = await call(route, route.startsWith('POST') ? { body: {} } : {})
    expect(status).toBe(422)
    const named = (body.detail as { field: string }[]).map(({ field }) => field)
    expect(named.toSorted()).toEqual(fields)
  })

  test.each([
    ['POST /api/auth/login', { email: 'nobody@example.com', password }, 401, 'Invalid email or password'],
    ['POST /api/auth/refresh', { refresh_token: 'x' }, 401, 'The session is over, please log in again'],
    ['POST /api/auth/verify-email', { token: 'x', password }, 400, 'Invalid or expired verification link'],
    [
      'POST /api/auth/password-reset/confirm',
      { token: 'x', new_password: password },
      400,
      'Invalid or expired token',
    ],
    ['GET /api/users/me', undefined, 401, 'Please log in again to continue'],
    ['GET /api/nothing', undefined, 404, 'Not found'],
  ])('%s %j', async (route, body, status, detail) => {
    expect(await call(route, { body })).toMatchObject({ status, body: { detail } })
  })

  test('POST /auth/login with a wrong password like with an unknown email', async () => {
    const { email } = await newPerson(product.urls.web)
    const refused = await call('POST /api/auth/login', { body: { email, password: 'something else' } })
    expect(refused).toMatchObject({
      status: 401,
      body: { detail: 'Invalid email or password', code: 'invalid_login' },
    })
  })

  test('POST /auth/login before the email is verified', async () => {
    const email = newEmail()
    await call('POST /api/auth/register', { body: { ...profile, email, password } })
    expect(await call('POST /api/auth/login', { body: { email, password } })).toMatchObject({
      status: 401,
      body: { detail: 'Please verify your email first', code: 'unverified' },
    })
  })

  test('a token of a mail a second time', async () => {
    const { email } = await newPerson(product.urls.web)
    await call('POST /api/auth/password-reset/request', { body: { email } })
    const body = {
      token: await mailedToken(product.urls.web, email, 'reset-password'),
      new_password: password,
    }
    const statuses = [
      (await call('POST /api/auth/password-reset/confirm', { body })).status,
      (await call('POST /api/auth/password-reset/confirm', { body })).status,
    ]
    expect(statuses).toEqual([200, 400])
  })

  test.each([
    ['what is no JSON', { raw: '{"email": ', headers: { 'content-type': 'application/json' } }, 400],
    ['a form of another site', { raw: 'email=x', headers: { 'content-type': 'text/plain' } }, 415],
    ['what is too large', { body: { email: 'x'.repeat(70_000) } }, 413],
  ])('%s', async (_name, sent, status) => {
    const refused = await call('POST /api/auth/login', sent)
    expect(refused).toMatchObject({ status, body: { code: 'invalid_request', detail: expect.any(String) } })
  })
})

describe('6: protects', () => {
  test('register, reset and login answer alike whether or not the account exists', async () => {
    const { email } = await newPerson(product.urls.web)
    const answersOf = async (address: string) => {
      const answers = [
        await call('POST /api/auth/register', {
          body: { ...profile, email: address, username: 'u', password },
        }),
        await call('POST /api/auth/password-reset/request', { body: { email: address } }),
        await call('POST /api/auth/verify-email/resend', { body: { email: address } }),
        await call('POST /api/auth/login', { body: { email: address, password: 'something else' } }),
      ]
      return answers.map(
        ({ status, body: { id: _1, created_at: _2, email: _3, request_id: _4, ...body } }) => ({
          status,
          body,
        }),
      )
    }
    expect(await answersOf(email)).toEqual(await answersOf(newEmail()))
    // The mail discloses to its owner what the answers do not.
    const registered = await waitFor(async () => await registeredAgain(email))
    expect(registered).not.toContain('token=')
  })

  /** The text of the mail to somebody with an account that it was registered again. */
  async function registeredAgain(email: string): Promise<string | undefined> {
    const mails = (await call('GET /dev/mailbox')).body as { to: string; subject: string; text: string }[]
    return mails.find(({ to, subject }) => to === email && subject.includes('already'))?.text
  }

  test('an account from guessing: after some failures even the right password waits', async () => {
    const { email, password: right } = await newPerson(product.urls.web)
    const attempt = async (tried: string) =>
      await call('POST /api/auth/login', { body: { email, password: tried } })
    for (const tried of ['guess 1', 'guess 2', 'guess 3']) expect((await attempt(tried)).status).toBe(401)
    expect(await attempt(right)).toMatchObject({
      status: 429,
      body: {
        code: 'rate_limited',
        detail: expect.stringMatching(/^Too many attempts, please try again in /),
      },
    })
  })

  test('a mailbox from being flooded', async () => {
    const email = newEmail()
    const ask = async () => await call('POST /api/auth/password-reset/request', { body: { email } })
    const statuses = [await ask(), await ask(), await ask(), await ask(), await ask()].map(
      ({ status }) => status,
    )
    expect(statuses).toEqual([200, 200, 200, 200, 429])
  })

  test('a registration while the mail server is away: the mail comes when it is back', async () => {
    await product.servers.mailbox.stop()
    const email = newEmail()
    const registered = await call('POST /api/auth/register', { body: { ...profile, email, password } })
    expect(registered.status).toBe(201)
    await product.servers.mailbox.start()
    await verifyEmail(product.urls.web, { email, password })
    await logIn(product.urls.web, { email, password })
  })

  test('a session while auth is away: calls that need auth are unavailable, and nobody is logged out', async () => {
    const { tokens } = await newPerson(product.urls.web)
    const token = tokens.access_token
    await call('GET /api/keys', { token })
    await product.stopService('auth')
    const email = newEmail()
    const refused = await Promise.all([
      call('POST /api/auth/login', { body: { email, password } }),
      call('POST /api/auth/register', { body: { ...profile, email, password } }),
      refresh(call, tokens),
      call('POST /api/auth/verify-email', { body: { token: 'x', password } }),
      call('POST /api/auth/password-reset/request', { body: { email } }),
      call('POST /api/auth/password-reset/confirm', { body: { token: 'x', new_password: password } }),
      call('POST /api/waitlist', { body: { email } }),
      call('GET /api/users/me', { token }),
      call('GET /api/auth/sessions', { token }),
    ])
    for (const answer of refused) {
      const detail = 'The service is not available, please try again'
      expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable', detail } })
    }
    expect((await call('GET /api/keys', { token })).status).toBe(200)
    await product.restart('auth')
    expect((await refresh(call, tokens)).status).toBe(200)
  })
})

test('beside the specification: the version before can read all that was said meanwhile', () => {
  expect(wire?.kinds()).toBeGreaterThan(20)
  expect(wire?.unreadableBefore()).toEqual([])
  if (process.env['TRIPLINE_RECORD']) wire?.record()
})
