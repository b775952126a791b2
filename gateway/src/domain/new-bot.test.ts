import { expect, test } from '@jest/globals'
import { CreateKeyBody } from '@tripline/proto/http/key'
import { credentialsOf } from './new-bot.ts'

const keys = { api_key: 'key', api_secret: 'secret' }

test.each([
  ['okx', { ...keys, api_passphrase: 'words' }, { apiKey: 'key', secret: 'secret', passphrase: 'words' }],
  ['bybit', { ...keys, api_passphrase: 'words' }, { apiKey: 'key', secret: 'secret' }],
  ['paper', {}, null],
])('at %s the credentials in %j are %j', (exchange, given, credentials) => {
  expect(credentialsOf(CreateKeyBody.parse({ label: 'A', exchange, ...given }))).toEqual({ credentials })
})

test('at OKX a passphrase is wanted besides', () => {
  expect(credentialsOf(CreateKeyBody.parse({ label: 'A', exchange: 'okx', ...keys }))).toEqual({
    missing: [{ field: 'api_passphrase', message: 'API credentials are required' }],
  })
})
