import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SessionId } from '@tripline/proto/id'
import { waitFor } from '@tripline/testkit/wait-for'
import { accessToken, type TokenKey, tokenKey } from './access-tokens.ts'
import { ada, bob, type GatewayFixture, startFixture } from './gateway-fixture.ts'

interface Document {
  paths: Record<string, Record<string, { security?: unknown[] }>>
}

describe('access', () => {
  let gateway: GatewayFixture
  let key: TokenKey
  beforeAll(async () => {
    gateway = await startFixture()
    key = gateway.peers.signingKeys[0] ?? tokenKey('none')
  })
  afterAll(async () => await gateway.stop())

  test('every call that needs a session asks for it before anything else', async () => {
    const { paths } = (await gateway.call('/api/openapi.json')).body as Document
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security }]) => security !== undefined)
        .map(([method]) => ({ path: path.replace('{id}', 'nonsense'), method: method.toUpperCase() })),
    )
    expect(calls).toContainEqual({ path: '/api/auth/sessions/nonsense', method: 'DELETE' })
    for (const { path, method } of calls) {
      const body = method === 'POST' || method === 'PUT' ? { nonsense: true } : undefined
      for (const token of [undefined, 'nonsense']) {
        const answer = await gateway.call(path, { method, token, body })
        expect([path, answer]).toMatchObject([
          path,
          { status: 401, body: { code: 'unauthorized', detail: expect.any(String) } },
        ])
      }
    }
  })

  test('takes a token as auth issues it', async () => {
    const answer = await gateway.call('/api/users/me', { token: accessToken(key, ada) })
    expect(answer).toMatchObject({ status: 200, body: { id: ada.sub, first_name: 'Ada' } })
  })

  test('takes tokens of the next key and of the one before', async () => {
    const next = tokenKey('key-2')
    gateway.peers.signingKeys.unshift(next)
    const statusWith = async (signing: TokenKey): Promise<number> =>
      (await gateway.call('/api/users/me', { token: accessToken(signing, ada) })).status
    await waitFor(async () => (await statusWith(next)) === 200)
    expect(await statusWith(key)).toBe(200)
  })

  const nowS = Math.floor(Date.now() / 1000)
  test.each([
    ['expired', { claims: { exp: nowS - 1 } }],
    ['without an end', { claims: { exp: undefined } }],
    ['for another audience', { claims: { aud: 'somewhere-else' } }],
    ['without an audience', { claims: { aud: undefined } }],
    ['of another issuer', { claims: { iss: 'somebody-else' } }],
    ['not valid yet', { claims: { nbf: nowS + 600 } }],
    ['of another type', { header: { typ: 'JWT' } }],
    ['without algorithm', { header: { alg: 'none' } }],
    ['of another algorithm', { header: { alg: 'ES256' } }],
    ['without a key id', { header: { kid: undefined } }],
    ['of nobody', { claims: { sub: 'root' } }],
    ['of no session', { claims: { sid: undefined } }],
  ])('refuses a token that is %s', async (_name, spoiled) => {
    await expectUnauthorized(accessToken(key, ada, spoiled))
  })

  test('refuses a token signed with a key that auth does not publish', async () => {
    await expectUnauthorized(accessToken({ ...tokenKey('forged'), kid: key.kid }, ada))
    await expectUnauthorized(accessToken(tokenKey('unheard-of'), ada))
  })

  test('refuses a token whose public key was used as a shared secret', async () => {
    const [, claims] = accessToken(key, ada).split('.')
    const header = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'at+jwt', kid: key.kid })).toString(
      'base64url',
    )
    const secret = JSON.stringify(key.jwk)
    const signature = createHmac('sha256', secret).update(`${header}.${claims}`).digest('base64url')
    await expectUnauthorized(`${header}.${claims}.${signature}`)
  })

  test('refuses a token whose content or signature was changed', async () => {
    const [header, , signature] = accessToken(key, ada).split('.')
    const [, others] = accessToken(key, { ...ada, sid: SessionId.parse(ada.sub) }).split('.')
    await expectUnauthorized(`${header}.${others}.${signature}`)
    await expectUnauthorized(`${header}.${others}.`)
    await expectUnauthorized(`${header}.${others}`)
  })

  test('says 401 for the current user of an ended session', async () => {
    const session = { ...ada, sid: SessionId.parse('0193f5a0-0000-7000-8000-00000000ada9') }
    gateway.peers.endedSessions.add(session.sid)
    await expectUnauthorized(accessToken(key, session))
  })

  test('repeats no token and no reason in the answer', async () => {
    const token = accessToken(key, ada, { claims: { aud: 'canary-audience' } })
    const { body } = await gateway.call('/api/keys', { token })
    expect(JSON.stringify(body)).not.toMatch(/canary|eyJ|audience/)
  })

  async function expectUnauthorized(token: string): Promise<void> {
    const answer = await gateway.call('/api/users/me', { token })
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized', detail: expect.any(String) } })
  }
})

describe('access while auth is away', () => {
  test('goes on with the keys that were received', async () => {
    const gateway = await startFixture()
    try {
      const known = gateway.token(ada)
      await gateway.call('/api/keys', { token: known })
      gateway.peers.leave('auth')
      expect((await gateway.call('/api/keys', { token: known })).status).toBe(200)
    } finally {
      await gateway.stop()
    }
  })

  test('says unavailable while no key was ever received', async () => {
    const gateway = await startFixture()
    try {
      gateway.peers.leave('auth')
      const answer = await gateway.call('/api/keys', { token: gateway.token(ada) })
      expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    } finally {
      await gateway.stop()
    }
  })
})

describe('a budget', () => {
  let gateway: GatewayFixture
  beforeAll(async () => {
    gateway = await startFixture({ UNITS_PER_USER_MINUTE: '60' })
  })
  afterAll(async () => await gateway.stop())

  test('that is spent refuses every call of the document that has a user, and of no other user', async () => {
    const { paths } = (await gateway.call('/api/openapi.json')).body as Document
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security }]) => security !== undefined)
        .map(([method]) => ({ path: path.replace('{id}', ada.sub), method: method.toUpperCase() })),
    )
    expect(calls.length).toBeGreaterThan(25)
    const token = gateway.token(ada)
    const call = async (path: string, method = 'GET') =>
      await gateway.call(path, { method, token, body: /P[OU][SU]?T/.test(method) ? {} : undefined })
    // Urgent calls may spend the whole of it. A unit comes back each second: with more than one to wait for, the call behind
    // it comes too early as well.
    const spend = async () => {
      for (let waitS = 0; waitS < 2; ) {
        const { headers } = await call('/api/trading-state', 'PUT')
        waitS = Number(headers.get('retry-after'))
      }
    }
    for (const { path, method } of calls) {
      await spend()
      const { status, headers, body } = await call(path, method)
      expect([method, path, status, body]).toEqual([
        method,
        path,
        429,
        {
          detail: 'Too many requests, please wait a moment',
          code: 'rate_limited',
          request_id: expect.any(String),
        },
      ])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await gateway.call('/api/users/me', { token: gateway.token(bob) })).status).toBe(200)
  })
})
