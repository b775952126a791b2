import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SessionView, TokenPair, UserView } from '@tripline/proto/http/auth'
import { type Product, startProduct } from '@tripline/scripts/product'
import { mailTo, verifyEmail } from '@tripline/scripts/verify-email'
import { waitFor } from '@tripline/testkit/wait-for'

const person = { first_name: 'Ada', last_name: 'Byron', country: 'Italy' }
const password = 'correct horse battery staple'

interface Call {
  method?: string
  body?: object
  token?: string
}

describe('an account', () => {
  let product: Product

  beforeAll(async () => {
    product = await startProduct({ ephemeral: true })
  }, 90_000)
  afterAll(async () => await product.stop())

  async function call(route: string, { method, body, token }: Call = {}) {
    const answer = await fetch(new URL(`/api/${route}`, product.urls.web), {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
  }

  const newEmail = (): string => `${randomBytes(6).toString('hex')}@example.com`
  const logIn = async (email: string, secret = password): Promise<TokenPair> =>
    TokenPair.parse((await call('auth/login', { body: { email, password: secret } })).body)
  const refresh = async ({ refresh_token }: TokenPair) =>
    await call('auth/refresh', { body: { refresh_token } })

  async function newUser(): Promise<string> {
    const email = newEmail()
    await call('auth/register', { body: { ...person, email, password } })
    await verifyEmail(product.urls.web, email)
    return email
  }

  test('is opened, verified and logged into', async () => {
    const email = newEmail()
    const registered = await call('auth/register', { body: { ...person, email, password } })
    expect(registered.status).toBe(201)
    const early = await call('auth/login', { body: { email, password } })
    expect([early.status, early.body.detail]).toEqual([401, 'Please verify your email first'])
    await verifyEmail(product.urls.web, email)
    await verifyEmail(product.urls.web, email)
    const { access_token: token } = await logIn(email)
    const me = UserView.parse((await call('users/me', { token })).body)
    expect(me).toMatchObject({ email, username: email.split('@')[0], ...person })
  })

  test('of a known email is answered like a new one, and its owner is told by mail', async () => {
    const email = await newUser()
    const [known, unknown] = [email, newEmail()].map((address) => ({ ...person, email: address, password }))
    const answers = await Promise.all([
      call('auth/register', { body: known ?? {} }),
      call('auth/register', { body: unknown ?? {} }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(Object.keys(answers[0].body)).toEqual(Object.keys(answers[1].body))
    const told = await waitFor(async () => {
      const { subject, text } = await mailTo(product.urls.web, email)
      return subject.includes('already') && text
    })
    expect(told).not.toContain('token=')
  })

  test('whose refresh token was stolen loses the session, and whoever has it is out at once', async () => {
    const email = await newUser()
    const first = await logIn(email)
    const second = TokenPair.parse((await refresh(first)).body)
    const third = TokenPair.parse((await refresh(second)).body)
    const stolen = await refresh(first)
    expect(stolen).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    expect((await refresh(third)).status).toBe(401)
    await waitFor(async () => (await call('keys', { token: third.access_token })).status === 401)
  })

  test('shows its sessions and ends one; the live stream of that one ends with it', async () => {
    const email = await newUser()
    const [mine, other] = [await logIn(email), await logIn(email)]
    const stream = await fetch(new URL('/api/events/stream', product.urls.web), {
      headers: { authorization: `Bearer ${other.access_token}` },
    })
    const listed = SessionView.array().parse((await call('auth/sessions', { token: mine.access_token })).body)
    expect(listed.map(({ is_current }) => is_current).toSorted()).toEqual([false, true])
    const id = listed.find((session) => !session.is_current)?.id
    const ending = await call(`auth/sessions/${id}`, { method: 'DELETE', token: mine.access_token })
    expect(ending.status).toBe(204)
    // The text is whole only once the stream has ended.
    expect(await stream.text()).toContain('connected')
    expect((await call('keys', { token: other.access_token })).status).toBe(401)
    expect((await refresh(other)).status).toBe(401)
    expect((await call('users/me', { token: mine.access_token })).status).toBe(200)
  })

  test('gets a new password by mail, and everybody who was in it is out', async () => {
    const email = await newUser()
    const before = await logIn(email)
    await call('auth/password-reset/request', { body: { email } })
    const token = await waitFor(async () => {
      const { text } = await mailTo(product.urls.web, email)
      return /reset-password\?token=([\w-]+)/.exec(text)?.[1]
    })
    const confirm = { body: { token, new_password: 'another horse' } }
    expect((await call('auth/password-reset/confirm', confirm)).status).toBe(200)
    const again = await call('auth/password-reset/confirm', confirm)
    expect(again).toMatchObject({ status: 400, body: { detail: 'Invalid or expired token' } })
    expect((await refresh(before)).status).toBe(401)
    expect((await call('auth/login', { body: { email, password } })).status).toBe(401)
    await logIn(email, 'another horse')
  })

  test("cannot end another's session", async () => {
    const [mine, theirs] = [await logIn(await newUser()), await logIn(await newUser())]
    const [session] = SessionView.array().parse(
      (await call('auth/sessions', { token: theirs.access_token })).body,
    )
    const ending = await call(`auth/sessions/${session?.id}`, { method: 'DELETE', token: mine.access_token })
    expect(ending).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await refresh(theirs)).status).toBe(200)
  })

  test('is opened also while the mail server is away: the mail comes when it is back', async () => {
    await product.servers.mailbox.stop()
    const email = newEmail()
    expect((await call('auth/register', { body: { ...person, email, password } })).status).toBe(201)
    await product.servers.mailbox.start()
    await verifyEmail(product.urls.web, email)
    await logIn(email)
  })

  test('waits on the waitlist once', async () => {
    const body = { email: newEmail() }
    const statuses = [await call('waitlist', { body }), await call('waitlist', { body })].map(
      ({ status }) => status,
    )
    expect(statuses).toEqual([201, 200])
  })
})
