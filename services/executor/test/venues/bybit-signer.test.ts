import { createHmac, generateKeyPairSync, verify } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { bybit } from 'ccxt'
import fc from 'fast-check'
import { createSigner } from '../../src/venue/bybit/signer.ts'

const receiveWindowMs = 3000
const path = 'v5/order/create'
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789']
const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 64 })
const fields = fc.record(
  {
    category: fc.constantFrom('linear', 'spot'),
    symbol: word,
    side: fc.constantFrom('Buy', 'Sell'),
    orderType: fc.constantFrom('Market', 'Limit'),
    qty: fc.stringMatching(/^[0-9]{1,8}\.[0-9]{1,8}$/),
    orderLinkId: fc.string({ unit: fc.constantFrom(...letters, '-', '_'), minLength: 1, maxLength: 36 }),
    positionIdx: fc.constantFrom(0, 1, 2),
    reduceOnly: fc.boolean(),
  },
  { requiredKeys: ['category', 'symbol'] },
)

function libraryFor(apiKey: string, secret: string, timestamp: number): bybit {
  const library = new bybit({ apiKey, secret, options: { recvWindow: receiveWindowMs } })
  library.nonce = () => timestamp
  return library
}

/** Returns what the library signs, without the header by which it names itself. */
function signedBy(library: bybit, fields: object): { body: string; headers: object } {
  const { body, headers } = library.sign(path, 'private', 'POST', fields)
  const { Referer: _name, ...signed } = headers
  return { body, headers: signed }
}

describe('the signer', () => {
  test('signs byte for byte as the library does', () => {
    fc.assert(
      fc.property(
        fields,
        word,
        word,
        fc.integer({ min: 1, max: 4e12 }),
        (form, apiKey, secret, timestamp) => {
          const library = libraryFor(apiKey, secret, timestamp)
          const { body, headers } = signedBy(library, { ...form })
          const signer = createSigner({ apiKey, secret }, receiveWindowMs)
          expect(signer.body(form, timestamp)).toEqual({ body, headers })
        },
      ),
    )
  })

  test('encodes the query of an address as the library does', () => {
    fc.assert(
      fc.property(
        fields,
        word,
        word,
        fc.integer({ min: 1, max: 4e12 }),
        (form, apiKey, secret, timestamp) => {
          const library = libraryFor(apiKey, secret, timestamp)
          const { url, headers } = library.sign('v5/order/realtime', 'private', 'GET', { ...form })
          const signed = createSigner({ apiKey, secret }, receiveWindowMs).query(
            url.split('?')[1] ?? '',
            timestamp,
          )
          expect(headers).toMatchObject({ 'X-BAPI-SIGN': signed.headers['X-BAPI-SIGN'] })
        },
      ),
    )
  })

  test('signs with a key that the user made as the library does', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const signed = createSigner({ apiKey: 'key', secret }, receiveWindowMs).body({ symbol: 'BTCUSDT' }, 7)
    const library = libraryFor('key', secret, 7)
    const { body, headers } = signedBy(library, { symbol: 'BTCUSDT' })
    expect(signed).toEqual({ body, headers })
    const signature = Buffer.from(signed.headers['X-BAPI-SIGN'] ?? '', 'base64')
    expect(verify('sha256', Buffer.from(`7key3000${signed.body}`), publicKey, signature)).toBe(true)
  })

  test('logs a socket in with a signature that ends', () => {
    const login = createSigner({ apiKey: 'key', secret: 'secret' }, receiveWindowMs).login(1234)
    const signature = createHmac('sha256', 'secret').update('GET/realtime1234').digest('hex')
    expect(login).toEqual(['key', 1234, signature])
  })

  test('signs for its account only', () => {
    const [mine, other] = ['one secret', 'another'].map((secret) =>
      createSigner({ apiKey: 'key', secret }, receiveWindowMs).body({ symbol: 'BTCUSDT' }, 1),
    )
    expect(mine?.headers).not.toEqual(other?.headers)
    expect(JSON.stringify(mine)).not.toContain('secret')
  })
})
