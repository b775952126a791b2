import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createSession, endOtherSessions, requestPasswordReset } from '@tripline/proto/auth-request'
import { SessionId } from '@tripline/proto/id'
import { waitFor } from '@tripline/testkit/wait-for'
import { ada, bob, type GatewayFixture, startFixture } from './gateway-fixture.ts'

let gateway: GatewayFixture
let mailbox: Server
let token: string
beforeAll(async () => {
  const mails = [
    {
      to: 'ada@example.com',
      subject: 'Hello <b>you</b>',
      text: 'Hi\n\nVerify: http://localhost/verify-email#token=a&b',
      html: '<p>Hi</p>',
      date: '2026-11-21T08:09:10.000Z',
    },
  ]
  mailbox = createServer((_request, response) => response.end(JSON.stringify(mails)))
  await new Promise<void>((resolve) => mailbox.listen(0, '127.0.0.1', resolve))
  const address = mailbox.address()
  const port = typeof address === 'object' ? address?.port : undefined
  gateway = await startFixture({ TRIPLINE_MODE: 'local', MAILBOX_URL: `http://127.0.0.1:${port}/` })
  token = gateway.token(ada)
})
afterAll(async () => {
  await gateway.stop()
  mailbox.close()
})

const lastAsked = ({ subject }: { subject: string }): unknown =>
  gateway.peers.asked.findLast((asked) => asked.subject === subject)?.value

describe('POST /api/auth/login', () => {
  test('refuses a right password whose email is not verified', async () => {
    const body = { email: 'new@example.com', password: 'right password' }
    expect(await gateway.call('/api/auth/login', { body })).toMatchObject({
      status: 401,
      body: { code: 'unverified', detail: 'Please verify your email first' },
    })
  })

  test('passes to auth the address and the browser of the caller, as far as they can be shown', async () => {
    const body = { email: 'ada@example.com', password: 'right password' }
    const headers = { 'user-agent': `Tést/1 ${'x'.repeat(300)}` }
    await gateway.call('/api/auth/login', { body, headers })
    expect(lastAsked(createSession)).toMatchObject({
      address: '127.0.0.1',
      userAgent: `Tst/1 ${'x'.repeat(194)}`,
    })
  })

  test('does not believe a caller about its address', async () => {
    const body = { email: 'ada@example.com', password: 'right password' }
    await gateway.call('/api/auth/login', { body, headers: { 'x-forwarded-for': '203.0.113.9' } })
    expect(lastAsked(createSession)).toMatchObject({ address: '127.0.0.1' })
  })
})

describe('POST /api/auth/verify-email', () => {
  const path = '/api/auth/verify-email'

  test('returns the email that is verified', async () => {
    const answer = await gateway.call(path, { body: { token: 'good', password: 'right password' } })
    expect(answer).toMatchObject({
      status: 200,
      body: { email: 'ada@example.com', message: expect.any(String) },
    })
  })

  test('refuses any other token, with a text to show', async () => {
    const answer = await gateway.call(path, { body: { token: 'spent', password: 'right password' } })
    expect(answer).toMatchObject({ status: 400, body: { detail: 'Invalid or expired verification link' } })
    expect((await gateway.call(path, { body: { token: 'good' } })).status).toBe(422)
  })

  test('takes no token from an address, which logs and histories keep', async () => {
    for (const method of ['GET', 'HEAD']) {
      expect((await gateway.call(`${path}?token=good`, { method })).status).toBe(404)
    }
  })
})

describe('POST /api/auth/password-reset', () => {
  test('answers the request alike for all', async () => {
    const emails = ['ada@example.com', 'nobody@example.com']
    const answers = await Promise.all(
      emails.map(
        async (email) => await gateway.call('/api/auth/password-reset/request', { body: { email } }),
      ),
    )
    for (const { status, body } of answers) {
      const message = 'If an account exists with that email, we sent a password reset link.'
      expect([status, body]).toEqual([200, { message }])
    }
    expect(lastAsked(requestPasswordReset)).toMatchObject({ address: '127.0.0.1' })
  })

  test('says when it was asked for too often', async () => {
    const body = { email: 'often@example.com' }
    const answer = await gateway.call('/api/auth/password-reset/request', { body })
    expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(answer.headers.get('retry-after')).toBe('90')
  })

  test('confirms with a good token, and refuses others with a text to show', async () => {
    const confirm = async (asked: object) =>
      await gateway.call('/api/auth/password-reset/confirm', { body: asked })
    expect((await confirm({ token: 'good', new_password: 'long enough' })).status).toBe(200)
    const refused = await confirm({ token: 'spent', new_password: 'long enough' })
    expect(refused).toMatchObject({ status: 400, body: { detail: 'Invalid or expired token' } })
  })

  test('says what is wrong with a password in words that do not mean the link', async () => {
    const body = { token: 'good', new_password: 'short' }
    const answer = await gateway.call('/api/auth/password-reset/confirm', { body })
    const detail = [{ field: 'new_password', message: 'Password must be at least 8 characters' }]
    expect(answer).toMatchObject({ status: 422, body: { detail } })
    expect(JSON.stringify(answer.body)).not.toMatch(/Invalid|expired/)
  })
})

describe('/api/auth/sessions', () => {
  test('lists the own ones and marks the one that asks', async () => {
    const { body } = await gateway.call('/api/auth/sessions', { token })
    expect(body).toEqual([
      {
        id: ada.sid,
        created_at: '2026-11-21T12:00:00.000Z',
        last_used_at: '2026-11-21T12:00:00.000Z',
        address: '203.0.113.1',
        user_agent: 'Test/1',
        is_current: true,
      },
    ])
    const { body: others } = await gateway.call('/api/auth/sessions', { token: gateway.token(bob) })
    expect(others).toMatchObject([{ id: bob.sid }])
  })

  test('ends one, whose access tokens are refused at once everywhere', async () => {
    const other = { ...ada, sid: SessionId.parse(ada.sub.replace(/0$/, '5')) }
    const theirs = gateway.token(other)
    expect((await gateway.call('/api/keys', { token: theirs })).status).toBe(200)
    const ending = await gateway.call(`/api/auth/sessions/${other.sid}`, { method: 'DELETE', token })
    expect(ending.status).toBe(204)
    await waitFor(async () => (await gateway.call('/api/keys', { token: theirs })).status === 401)
    expect((await gateway.call('/api/keys', { token })).status).toBe(200)
  })

  test('ends all others', async () => {
    expect((await gateway.call('/api/auth/sessions', { method: 'DELETE', token })).status).toBe(204)
    expect(lastAsked(endOtherSessions)).toEqual({ userId: ada.sub, sessionId: ada.sid })
  })

  test("protects another user's", async () => {
    const answer = await gateway.call(`/api/auth/sessions/${bob.sid}`, { method: 'DELETE', token })
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await gateway.call('/api/auth/sessions/x', { method: 'DELETE', token })).status).toBe(422)
  })
})

describe('POST /api/waitlist', () => {
  test.each([
    ['new@example.com', 201],
    ['there@example.com', 200],
  ])('answers %s with %s', async (email, status) => {
    expect((await gateway.call('/api/waitlist', { body: { email } })).status).toBe(status)
  })

  test('refuses a text that is no email', async () => {
    expect((await gateway.call('/api/waitlist', { body: { email: 'nobody' } })).status).toBe(422)
  })
})

describe('GET /dev/mailbox', () => {
  test('shows the mails, in local mode', async () => {
    const answer = await gateway.call('/dev/mailbox')
    expect(answer).toMatchObject({ status: 200, body: [{ to: 'ada@example.com' }] })
  })

  test('is a page with links for a browser, and nothing that was mailed is HTML in it', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const answer = await gateway.call('/dev/mailbox', { headers })
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const [, nonce] = /<style nonce="([^"]+)">/.exec(String(answer.body)) ?? []
    expect(answer.headers.get('content-security-policy')).toContain(`style-src 'self' 'nonce-${nonce}'`)
    expect(answer.body).toContain('<p>To ada@example.com, 2026-11-21 08:09:10 UTC</p>')
    expect(answer.body).toContain('<h2>Hello &lt;b&gt;you&lt;/b&gt;</h2>')
    const address = 'http://localhost/verify-email#token=a&amp;b'
    expect(answer.body).toContain(`<a href="${address}">${address}</a>`)
  })

  test('is not there in production', async () => {
    const production = await startFixture({ MAILBOX_URL: 'http://127.0.0.1:9/' })
    expect((await production.call('/dev/mailbox')).status).toBe(404)
    await production.stop()
  })
})
