import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readOpeningKeys, unseal } from '@tripline/kit/crypto/seal'
import { BotId, SessionId } from '@tripline/proto/id'
import { type Bot, createBot } from '@tripline/proto/key-request'
import { credentialContext } from '@tripline/proto/user-config'
import { ada, bob, type GatewayFixture, sealingPair, startFixture } from './gateway-fixture.ts'

let gateway: GatewayFixture
let token: string
beforeAll(async () => {
  gateway = await startFixture()
  token = gateway.token(ada)
})
afterAll(async () => await gateway.stop())

describe('POST /api/auth/register', () => {
  const body = {
    first_name: 'Ada',
    last_name: 'Lovelace',
    country: 'United Kingdom',
    username: 'ada',
    email: 'ada@example.com',
    password: 'long enough',
  }

  test('opens an account', async () => {
    const answer = await gateway.call('/api/auth/register', { body })
    expect(answer).toMatchObject({ status: 201, body: { email: 'ada@example.com', first_name: 'Ada' } })
    expect(JSON.stringify(answer.body)).not.toContain('long enough')
  })

  test('names every field that is wrong', async () => {
    const answer = await gateway.call('/api/auth/register', {
      body: { ...body, email: 'ada', password: 'short' },
    })
    expect(answer).toMatchObject({
      status: 422,
      body: {
        code: 'invalid_request',
        detail: [
          { field: 'email', message: 'Please enter a valid email address' },
          { field: 'password', message: 'Password must be at least 8 characters' },
        ],
      },
    })
  })

  test('answers the refusals of auth in the words of HTTP', async () => {
    const answer = await gateway.call('/api/auth/register', { body: { ...body, password: 'password' } })
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ field: 'first_name', message: 'is odd' }] },
    })
  })

  test.each([
    ['no JSON', '{', 'application/json', 400],
    ['no body', '', 'application/json', 400],
    ['a form', 'first_name=Ada', 'application/x-www-form-urlencoded', 415],
    ['plain text', JSON.stringify(body), 'text/plain', 415],
    ['a list', '[]', 'application/json', 422],
    ['too much', JSON.stringify({ ...body, username: 'x'.repeat(70_000) }), 'application/json', 413],
    ['a poisoned prototype', '{"__proto__": {"isAdmin": true}}', 'application/json', 400],
  ])('refuses %s', async (_name, text, type, status) => {
    const answer = await gateway.call('/api/auth/register', { body: text, headers: { 'content-type': type } })
    expect(answer).toMatchObject({
      status,
      body: { detail: expect.anything(), request_id: expect.any(String) },
    })
  })
})

describe('POST /api/auth/login', () => {
  test('gives both tokens', async () => {
    const answer = await login('right password')
    expect(answer).toMatchObject({ status: 200, body: { access_token: 'access', refresh_token: 'refresh' } })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('refuses a wrong password without saying which part was wrong', async () => {
    const answer = await login('wrong password')
    expect(answer).toMatchObject({
      status: 401,
      body: { detail: 'Invalid credentials', code: 'invalid_login' },
    })
  })

  async function login(password: string) {
    return await gateway.call('/api/auth/login', { body: { email: 'ada@example.com', password } })
  }
})

describe('POST /api/auth/refresh', () => {
  test('gives new tokens for a refresh token', async () => {
    const answer = await gateway.call('/api/auth/refresh', { body: { refresh_token: 'refresh' } })
    expect(answer).toMatchObject({ status: 200, body: { access_token: 'access', refresh_token: 'refresh' } })
  })

  test('refuses any other', async () => {
    const answer = await gateway.call('/api/auth/refresh', { body: { refresh_token: 'spent' } })
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  })
})

describe('POST /api/auth/logout', () => {
  test('ends the session of the token, and no other', async () => {
    const leaving = gateway.token({ ...bob, sid: SessionId.parse(bob.sub.replace(/0$/, '7')) })
    const answer = await gateway.call('/api/auth/logout', { method: 'POST', token: leaving })
    expect(answer).toMatchObject({ status: 204, body: '' })
    expect((await gateway.call('/api/users/me', { token: leaving })).status).toBe(401)
    expect((await gateway.call('/api/users/me', { token: gateway.token(bob) })).status).toBe(200)
    expect((await gateway.call('/api/users/me', { token })).status).toBe(200)
  })
})

describe('POST /api/keys', () => {
  const body = {
    label: 'MyBot',
    exchange: 'binance',
    market_type: 'futures_usdt',
    api_key: 'canary-key-0123456789abcdef',
    api_secret: 'canary-secret-0123456789',
    is_testnet: true,
  }

  test('links an exchange account', async () => {
    const answer = await gateway.call('/api/keys', { token, body })
    expect(answer).toMatchObject({
      status: 201,
      body: {
        label: 'MyBot',
        exchange: 'binance',
        market_type: 'futures_usdt',
        api_key_preview: 'cana…cdef',
        is_testnet: true,
        notify_on_trade: true,
        notify_on_error: true,
        notify_on_fill: false,
      },
    })
  })

  test('seals the credentials for the executor, this bot, user, venue and network before they enter the bus', async () => {
    const received: string[] = []
    const ops = await gateway.nats.connect('ops')
    ops.connection.subscribe('>', { callback: (_error, message) => received.push(message.string()) })
    await ops.connection.flush()
    await gateway.call('/api/keys', { token, body })
    await ops.connection.flush()
    expect(received.length).toBeGreaterThan(0)
    expect(received.filter((text) => /canary-(secret|key)/.test(text))).toEqual([])

    const asked = createBot.asked.parse(lastAsked(createBot.subject))
    expect(asked.userId).toBe(ada.sub)
    const context = credentialContext({
      userId: ada.sub,
      botId: asked.bot.id,
      exchange: 'binance',
      isTestnet: true,
    })
    const keys = readOpeningKeys(sealingPair.privateText)
    const opened = unseal(keys, asked.credentials?.sealed ?? '', context)
    expect(JSON.parse(opened)).toEqual({ apiKey: body.api_key, secret: body.api_secret })
  })

  test('asks for no credentials of a Paper key, and takes the defaults of the form', async () => {
    const answer = await gateway.call('/api/keys', { token, body: { label: 'Paper', exchange: 'paper' } })
    expect(answer).toMatchObject({ status: 201, body: { market_type: 'futures', is_testnet: false } })
    expect(lastAsked(createBot.subject)).toMatchObject({ credentials: null })
  })

  test('asks for both credentials of every other', async () => {
    const answer = await gateway.call('/api/keys', { token, body: { ...body, api_secret: ' ' } })
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ field: 'api_secret', message: 'API credentials are required' }] },
    })
  })

  test('refuses credentials that can sign nothing, and says which', async () => {
    const torn = '-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----'
    const answer = await gateway.call('/api/keys', {
      token,
      body: { ...body, exchange: 'bybit', market_type: 'futures', api_secret: torn },
    })
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ field: 'api_secret', message: expect.stringContaining('RSA key in PEM form') }] },
    })
  })

  test('refuses an unknown exchange, a bad label and a label that is taken', async () => {
    const bad = await gateway.call('/api/keys', { token, body: { ...body, exchange: 'mtgox', label: 'a/b' } })
    expect(bad).toMatchObject({
      status: 422,
      body: { detail: [{ field: 'label' }, { field: 'exchange' }] },
    })
    const taken = await gateway.call('/api/keys', { token, body: { ...body, label: 'Taken' } })
    expect(taken).toMatchObject({ status: 409, body: { detail: 'This label is taken' } })
  })

  test('repeats no credential in a refusal', async () => {
    const answer = await gateway.call('/api/keys', { token, body: { ...body, label: '!' } })
    expect(JSON.stringify(answer.body)).not.toMatch(/canary/)
  })

  function lastAsked(subject: string): unknown {
    return gateway.peers.asked.findLast((asked) => asked.subject === subject)?.value
  }
})

describe('GET /api/keys', () => {
  test("lists one's own keys only", async () => {
    gateway.peers.bots.set(ada.sub, [botOf('MyBot')])
    const own = await gateway.call('/api/keys', { token })
    expect(own).toMatchObject({ status: 200, body: [{ label: 'MyBot', api_key_preview: 'abcd…wxyz' }] })
    expect(await gateway.call('/api/keys', { token: gateway.token(bob) })).toMatchObject({
      status: 200,
      body: [],
    })
  })
})

describe('POST /api/keys/{id}/reset', () => {
  const reset = async (id: string) => await gateway.call(`/api/keys/${id}/reset`, { token, method: 'POST' })

  test('resets a Paper account, and no other', async () => {
    const [paper, binance] = [botOf('Paper'), botOf('Real', 'binance')]
    gateway.peers.bots.set(ada.sub, [paper, binance])
    expect(await reset(paper.id)).toMatchObject({ status: 200, body: { message: expect.any(String) } })
    expect(await reset(binance.id)).toMatchObject({ status: 409 })
  })

  test('knows nothing of the keys of others', async () => {
    for (const id of [botOf('Other').id, 'nonsense', '%00'])
      expect(await reset(id)).toMatchObject({ status: 404, body: { detail: 'API key not found' } })
  })
})

function botOf(label: string, exchange: Bot['exchange'] = 'paper'): Bot {
  return {
    id: BotId.parse(randomUUID()),
    label,
    exchange,
    marketType: 'futures',
    apiKeyPreview: 'abcd…wxyz',
    isTestnet: false,
    notifyOnTrade: true,
    notifyOnError: true,
    notifyOnFill: false,
    createdAt: '2026-11-21T12:00:00.000Z',
    lastTest: null,
  }
}

describe('/api/webhook-config', () => {
  test('returns the address that alerts are sent to', async () => {
    expect(await gateway.call('/api/webhook-config', { token })).toMatchObject({
      status: 200,
      body: {
        webhook_url: `https://tripline.example/webhook/token-${ada.sub}`,
        is_active: true,
        max_requests_per_minute: 10,
        alert_format: 'tripline',
      },
    })
  })

  test('changes the named fields and keeps the rest', async () => {
    const answer = await put({ max_requests_per_minute: 60 })
    expect(answer).toMatchObject({ status: 200, body: { is_active: true, max_requests_per_minute: 60 } })
    expect(await put({ is_active: false })).toMatchObject({
      body: { is_active: false, max_requests_per_minute: 60 },
    })
    expect(await put({ alert_format: 'traderspost' })).toMatchObject({
      body: { is_active: false, max_requests_per_minute: 60, alert_format: 'traderspost' },
    })
  })

  test.each(['Tripline', 'other', '', null])('refuses %j as the format of alerts', async (format) => {
    expect(await put({ alert_format: format })).toMatchObject({
      status: 422,
      body: { detail: [{ field: 'alert_format' }] },
    })
  })

  test.each([0, 61, 1.5, '10', null])('refuses %j requests a minute', async (rate) => {
    expect(await put({ max_requests_per_minute: rate })).toMatchObject({
      status: 422,
      body: { detail: [{ field: 'max_requests_per_minute' }] },
    })
  })

  async function put(body: object) {
    return await gateway.call('/api/webhook-config', { method: 'PUT', token, body })
  }
})

describe('every answer', () => {
  test.each(['/api/nothing', '/api', '/nothing', '/api/keys', '/livez'])(
    '%s forbids browsers all it does not need',
    async (path) => {
      const { headers } = await gateway.call(path)
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('strict-transport-security')).toContain('max-age=31536000')
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    },
  )

  test('to an unknown call is 404 in the one form of errors', async () => {
    expect(await gateway.call('/api/nothing')).toMatchObject({
      status: 404,
      body: { detail: expect.any(String), code: 'not_found', request_id: expect.any(String) },
    })
  })

  test('is unavailable, and soon, when the service asked is away', async () => {
    gateway.peers.leave('keys')
    const answer = await gateway.call('/api/keys', { token })
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable', detail: expect.any(String) } })
  })
})
