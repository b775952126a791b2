import { describe, expect, test } from '@jest/globals'
import { binanceusdm, bybit, type Exchange } from 'ccxt'
import { libraryBeside } from './library-client.ts'

const own = { apiKey: 'own key', secret: 'own secret' }
const other = { apiKey: 'other key', secret: 'other secret' }
const nobody = { apiKey: 'nobody', secret: 'nobody', enableRateLimit: false }

/** A parent that sends nothing: an answer is the headers of its request. */
function parentOf<Library extends Exchange>(library: Library): Library {
  library.fetch = async (_url, _method, headers) => headers
  return library
}

describe.each([
  ['bybit', () => new bybit(nobody), 'private', 'v5/order/realtime', 'X-BAPI-API-KEY'],
  ['binanceusdm', () => new binanceusdm(nobody), 'fapiPrivate', 'order', 'X-MBX-APIKEY'],
])('a client of %s beside its parent', (_name, build, api, path, header) => {
  test('asks for its own account, as another one beside it does', async () => {
    const parent = parentOf<Exchange>(build())
    const [one, two] = [libraryBeside(parent, own), libraryBeside(parent, other)]
    const keyOf = async (library: Exchange): Promise<unknown> => {
      const headers = await library.request(path, api, 'GET', { symbol: 'BTCUSDT' })
      return new Headers(headers as Record<string, string>).get(header)
    }
    expect([await keyOf(one), await keyOf(two), await keyOf(parent)]).toEqual([
      'own key',
      'other key',
      'nobody',
    ])
  })

  test('keeps the notes of the library on it to itself', async () => {
    const parent = parentOf<Exchange>(build())
    const one = libraryBeside(parent, own)
    one.options['noted'] = true
    await one.request(path, api, 'GET', { symbol: 'BTCUSDT' })
    expect([parent.options['noted'], parent.last_request_url]).toEqual([undefined, undefined])
  })
})
