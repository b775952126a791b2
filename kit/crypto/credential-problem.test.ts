import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { credentialProblem } from './credential-problem.ts'

const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()
const rsa = pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
const ed25519 = pemOf(generateKeyPairSync('ed25519').privateKey)
const torn = '-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----'

test.each([
  ['a secret', 'binance', { apiKey: 'key', secret: 'secret' }, undefined],
  ['a secret', 'bybit', { apiKey: 'key', secret: 'secret' }, undefined],
  ['an RSA key', 'bybit', { apiKey: 'key', secret: rsa }, undefined],
  ['a torn private key', 'bybit', { apiKey: 'key', secret: torn }, 'api_secret'],
  ['an Ed25519 key', 'bybit', { apiKey: 'key', secret: ed25519 }, 'api_secret'],
  ['an RSA key', 'binance', { apiKey: 'key', secret: rsa }, 'api_secret'],
  ['a secret of two lines', 'binance', { apiKey: 'key', secret: 'a\nb' }, 'api_secret'],
  ['nothing but spaces', 'bybit', { apiKey: 'key', secret: '   ' }, 'api_secret'],
  ['a key of two lines', 'bybit', { apiKey: 'a\nb', secret: 'secret' }, 'api_key'],
  [
    'a passphrase with blanks',
    'okx',
    { apiKey: 'key', secret: 'secret', passphrase: 'a b' },
    'api_passphrase',
  ],
  ['a key with umlauts', 'bybit', { apiKey: 'schlüssel', secret: 'secret' }, 'api_key'],
] as const)('%s at %s', (_name, exchange, credentials, field) => {
  const problem = credentialProblem(credentials, exchange === 'bybit')
  expect(problem?.field).toBe(field)
  expect(problem?.message ?? '').not.toContain(credentials.secret)
})
