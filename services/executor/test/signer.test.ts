import { describe, expect, test } from '@jest/globals'
import { binanceusdm } from 'ccxt'
import fc from 'fast-check'
import { createSigner } from '../src/venue/binance/signer.ts'

const receiveWindowMs = 3000
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789']
const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 64 })
const fields = fc.record({
  symbol: word,
  side: fc.constantFrom('BUY', 'SELL'),
  type: fc.constant('MARKET'),
  quantity: fc.stringMatching(/^[0-9]{1,8}\.[0-9]{1,8}$/),
  newClientOrderId: fc.string({ unit: fc.constantFrom(...letters, '-', '_'), minLength: 1, maxLength: 36 }),
  newOrderRespType: fc.constant('RESULT'),
})

describe('the signer', () => {
  test('signs byte for byte as the library does', () => {
    fc.assert(
      fc.property(
        fields,
        word,
        word,
        fc.integer({ min: 1, max: 4e12 }),
        (form, apiKey, secret, timestamp) => {
          const library = new binanceusdm({ apiKey, secret, options: { recvWindow: receiveWindowMs } })
          library.nonce = () => timestamp
          const { body, headers } = library.sign('order', 'fapiPrivate', 'POST', { ...form })
          const sign = createSigner({ apiKey, secret }, receiveWindowMs)
          expect(sign(form, timestamp)).toEqual({ body, headers })
        },
      ),
    )
  })

  test('signs for its account only', () => {
    const [mine, other] = ['one secret', 'another'].map((secret) =>
      createSigner({ apiKey: 'key', secret }, receiveWindowMs)({ symbol: 'BTCUSDT' }, 1),
    )
    expect(mine?.body).not.toBe(other?.body)
    expect(mine?.body).not.toContain('secret')
  })
})
