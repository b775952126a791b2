import { expect, test } from '@jest/globals'
import { credentialFault } from './credential-look.ts'

const [key, secret] = ['k'.repeat(18), 's'.repeat(36)]
const pem = '-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----'

test.each([
  ['a pair in its places', 'bybit', key, secret, undefined],
  ['a pair the other way round', 'bybit', secret, key, 'swapped'],
  ['a pair the other way round with blanks', 'bybit', ` ${secret}\n`, key, 'swapped'],
  ['lengths that mean nothing elsewhere', 'binance', secret, key, undefined],
  ['a private key in the place of the key', 'binance', pem, 'x'.repeat(64), 'swapped'],
  ['a private key in its place', 'binance', 'x'.repeat(64), pem, undefined],
  ['one text twice', 'binance', key, key, 'same'],
  ['half a pair', 'bybit', secret, '', undefined],
])('%s', (_name, exchange, first, second, fault) => {
  expect(credentialFault(exchange, first, second)).toBe(fault)
})
