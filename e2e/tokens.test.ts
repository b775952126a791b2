import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { decrypt, readKeks } from '@tripline/kit/crypto/envelope'
import { openDatabase } from '@tripline/kit/postgres'
import { TokenPair } from '@tripline/proto/http/auth'
import { testLog } from '@tripline/testkit/log'
import { type Call, patientCallerOf } from '@tripline/testkit/people/caller'
import { logIn, newPerson, type Person, refresh } from '@tripline/testkit/people/person'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { waitFor } from '@tripline/testkit/wait-for'
import { openStream } from './open-stream.ts'

const dayMs = 86_400_000

let product: Product
let call: Call
let ada: Person
let auth: ReturnType<typeof openAuth>
beforeAll(async () => {
  product = await startProduct({ ephemeral: true })
  call = patientCallerOf(product.urls.web)
  auth = openAuth()
  ada = await newPerson(product.urls.web)
}, 120_000)
afterAll(async () => {
  await auth.destroy()
  await product.stop()
})

interface Tables {
  signing_key: { id: string; private_jwk_envelope: string; signs_from: string }
}

function openAuth() {
  return openDatabase<Tables>(product.settings('auth')['DATABASE_URL'] ?? '', 'auth', testLog('test'))
}

async function statusWith(token: string, route = 'GET /api/users/me'): Promise<number> {
  return (await call(route, { token })).status
}

function part(token: string, index: number): Record<string, string | number> {
  return JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString())
}

function written(header: object, claims: object): string {
  return [header, claims].map((json) => Buffer.from(JSON.stringify(json)).toString('base64url')).join('.')
}

describe('an access token', () => {
  let key: { kid: string; privateKey: KeyObject }
  let form: { header: object; claims: object }
  beforeAll(async () => {
    const { access_token } = ada.tokens
    form = { header: part(access_token, 0), claims: part(access_token, 1) }
    key = await trueKey(String(part(access_token, 0)['kid']))
  })

  /** The very key that auth signs with. */
  async function trueKey(kid: string): Promise<typeof key> {
    const keks = readKeks(await readFile(product.settings('auth')['KEK_FILE'] ?? '', 'utf8'))
    const row = await auth
      .selectFrom('signing_key')
      .selectAll()
      .where('id', '=', kid)
      .executeTakeFirstOrThrow()
    const jwk = JSON.parse(decrypt(keks, row.private_jwk_envelope, `auth.signing_key.private_jwk|${kid}`))
    return { kid, privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) }
  }

  /** The token as auth would write it, but for what is changed. */
  function made({ header = {}, claims = {}, by = key.privateKey }: Spoiled = {}): string {
    const signed = written({ ...form.header, ...header }, { ...form.claims, ...claims })
    return `${signed}.${sign(null, Buffer.from(signed), by).toString('base64url')}`
  }
  interface Spoiled {
    header?: object
    claims?: object
    by?: KeyObject
  }

  const nowS = Math.floor(Date.now() / 1000)
  const guarded = [
    'GET /api/users/me',
    'GET /api/keys',
    'GET /api/webhook-executions',
    'GET /api/events/stream',
  ]

  test('made by the true key from the same words is taken, so each refusal here has its one reason', async () => {
    const token = made()
    expect(token).toBe(ada.tokens.access_token)
    expect(await statusWith(made({ claims: { exp: nowS + 600 } }))).toBe(200)
  })

  test.each<[string, Spoiled]>([
    ['expired', { claims: { exp: nowS - 1 } }],
    ['without an end', { claims: { exp: undefined } }],
    ['not valid yet', { claims: { nbf: nowS + 3600 } }],
    ['for another audience', { claims: { aud: 'somewhere-else' } }],
    ['without an audience', { claims: { aud: undefined } }],
    ['of another issuer', { claims: { iss: 'somebody-else' } }],
    ['of another type', { header: { typ: 'JWT' } }],
    ['said to be unsigned', { header: { alg: 'none' } }],
    ['of another algorithm', { header: { alg: 'HS256' } }],
    ['without the name of its key', { header: { kid: undefined } }],
    ['of a key that nobody has', { header: { kid: randomUUID() } }],
    ['signed with another key', { by: generateKeyPairSync('ed25519').privateKey }],
    ['of nobody', { claims: { sub: 'root' } }],
    ['of no session', { claims: { sid: undefined } }],
  ])('that is %s is refused everywhere', async (_name, spoiled) => {
    const token = made(spoiled)
    const answers = await Promise.all(guarded.map(async (route) => await call(route, { token })))
    for (const answer of answers) {
      const detail = 'Please log in again to continue'
      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized', detail } })
    }
  })

  test('without a signature, or with one made of the public key, is refused', async () => {
    const unsigned = `${written({ ...form.header, alg: 'none' }, form.claims)}.`
    const signed = written({ ...form.header, alg: 'HS256' }, form.claims)
    const publicKey = createPublicKey(key.privateKey)
    const published = [
      publicKey.export({ format: 'pem', type: 'spki' }),
      JSON.stringify(publicKey.export({ format: 'jwk' })),
    ]
    const statuses = [unsigned, ada.tokens.access_token.replace(/[^.]*$/, '')].map((token) =>
      statusWith(token),
    )
    for (const secret of published) {
      const mac = createHmac('sha256', secret).update(signed).digest('base64url')
      statuses.push(statusWith(`${signed}.${mac}`))
    }
    expect(await Promise.all(statuses)).toEqual([401, 401, 401, 401])
  })

  test('of somebody else opens nothing by a changed name', async () => {
    const bob = await newPerson(product.urls.web)
    const [header, , signature] = bob.tokens.access_token.split('.')
    const [, claims] = ada.tokens.access_token.split('.')
    expect(await statusWith(`${header}.${claims}.${signature}`)).toBe(401)
  })

  test('that is forged does not pass for the owner at a webhook for TradingView only', async () => {
    const token = ada.tokens.access_token
    await call('POST /api/keys', { token, body: { label: 'MyBot', exchange: 'paper' } })
    const { body } = await call('PUT /api/webhook-config', { token, body: { only_tradingview: true } })
    const { pathname } = new URL(body.webhook_url)
    const send = async (bearer?: string) =>
      await call(`POST ${pathname}?wait=20000`, { token: bearer, raw: 'MyBot(BTCUSDT) { balance() }' })
    await waitFor(async () => (await send()).status === 422)
    const forged = made({ by: generateKeyPairSync('ed25519').privateKey })
    for (const bad of [forged, made({ claims: { exp: nowS - 1 } }), 'nonsense']) {
      expect((await send(bad)).status).toBe(422)
    }
    expect((await send(token)).status).toBe(200)
  })
})

describe('a refresh token', () => {
  test('asked with twice gives the same successor, until that one is used', async () => {
    const first = await logIn(product.urls.web, ada)
    const tabs = await Promise.all([refresh(call, first), refresh(call, first)])
    const [one, other] = tabs.map(({ body }) => TokenPair.parse(body).refresh_token)
    expect(one).toBe(other)
    expect((await refresh(call, first)).body.refresh_token).toBe(one)
  })

  test('that was stolen and used ends the session for both, at once and everywhere', async () => {
    const owner = await logIn(product.urls.web, ada)
    const thief = TokenPair.parse((await refresh(call, owner)).body)
    const thiefs = TokenPair.parse((await refresh(call, thief)).body)
    const authorization = `Bearer ${thiefs.access_token}`
    const stream = await openStream(new URL('/api/events/stream', product.urls.web), { authorization })
    expect(await statusWith(thiefs.access_token)).toBe(200)
    expect(await refresh(call, owner)).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    await waitFor(async () => (await statusWith(thiefs.access_token, 'GET /api/keys')) === 401)
    await waitFor(() => stream.hasEnded())
    for (const tokens of [owner, thief, thiefs]) {
      expect((await refresh(call, tokens)).status).toBe(401)
      expect(await statusWith(tokens.access_token)).toBe(401)
    }
    expect(await statusWith((await logIn(product.urls.web, ada)).access_token)).toBe(200)
  })

  test('that is made up refreshes nothing, and ends nobody', async () => {
    const [own, other] = [await logIn(product.urls.web, ada), await logIn(product.urls.web, ada)]
    const [session, generation, proof = ''] = own.refresh_token.split('.')
    const [otherSession] = other.refresh_token.split('.')
    const forged = [
      `${session}.${Number(generation) + 1}.${proof}`,
      `${otherSession}.${generation}.${proof}`,
      `${session}.${generation}.${'A'.repeat(proof.length)}`,
      `${session}.${generation}.${proof.slice(0, -1)}`,
      `${session}.${generation}.${proof}=`,
    ]
    const statuses = await Promise.all(
      forged.map(async (refresh_token) => (await refresh(call, { ...own, refresh_token })).status),
    )
    expect(statuses).toEqual([401, 401, 401, 401, 401])
    expect((await refresh(call, { ...own, refresh_token: own.access_token })).status).toBe(422)
    expect((await refresh(call, own)).status).toBe(200)
    expect((await refresh(call, other)).status).toBe(200)
  })
})

describe('the key that signs', () => {
  test('is followed by another one, and nobody is logged out', async () => {
    const before = await logIn(product.urls.web, ada)
    const first = kidOf(before)
    await signsFrom(first, Date.now() - 40 * dayMs)
    const meanwhile = await logIn(product.urls.web, ada)
    expect(kidOf(meanwhile)).toBe(first)
    const next = await waitFor(async () => (await keyIds()).find((id) => id !== first))
    await signsFrom(next, Date.now() - 1000)
    const after = await logIn(product.urls.web, ada)
    expect(kidOf(after)).toBe(next)
    // The gateway asks for a key it does not know, at most once a second.
    await waitFor(async () => (await statusWith(after.access_token)) === 200)
    expect(await statusWith(before.access_token)).toBe(200)

    await signsFrom(next, Date.now() - dayMs)
    await waitFor(async () => {
      // A key that nobody has makes the gateway ask again, and it learns that the first is gone.
      const header = { ...part(after.access_token, 0), kid: randomUUID() }
      await statusWith(`${written(header, part(after.access_token, 1))}.x`)
      return (await statusWith(before.access_token)) === 401
    })
    expect(await keyIds()).toEqual([next])
    const refreshed = TokenPair.parse((await refresh(call, before)).body)
    expect(await statusWith(refreshed.access_token)).toBe(200)
  })

  function kidOf({ access_token }: TokenPair): string {
    return String(part(access_token, 0)['kid'])
  }

  async function keyIds(): Promise<string[]> {
    return (await auth.selectFrom('signing_key').select('id').execute()).map(({ id }) => id)
  }

  /** Time passes for a key by moving when it began to sign. */
  async function signsFrom(id: string, at: number): Promise<void> {
    const signs_from = new Date(at).toISOString()
    await auth.updateTable('signing_key').set({ signs_from }).where('id', '=', id).execute()
  }
})
