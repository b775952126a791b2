import { expect, test } from '@jest/globals'
import { nkeyAuthenticator, nkeys } from 'nats'
import { busAuthenticator, newBusSeed, publicBusKey } from './nkey.ts'

test('proves the possession of a seed in the same words as the library', () => {
  for (let round = 0; round < 5; round++) {
    const seed = newBusSeed()
    const bytes = new TextEncoder().encode(seed)
    expect(publicBusKey(seed)).toBe(nkeys.fromSeed(bytes).getPublicKey())
    expect(busAuthenticator(seed)('a nonce')).toEqual(nkeyAuthenticator(bytes)('a nonce'))
  }
})

test('refuses a seed that is not whole', () => {
  expect(() => busAuthenticator('SUAI')).toThrow('not whole')
})
