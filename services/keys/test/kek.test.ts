import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sendRequest } from '@tripline/kit/bus/request'
import { generateKek } from '@tripline/kit/crypto/envelope'
import { createCloseOnly, getCloseOnly, getWebhook } from '@tripline/proto/key-request'
import { testLog } from '@tripline/testkit/log'
import { rewrapTokens } from '../src/rewrap.ts'
import { type KeysFixture, keysFixture, link, newUser, openPaperAccounts } from './keys-fixture.ts'

let keys: KeysFixture
beforeAll(async () => {
  keys = await keysFixture()
})
afterAll(async () => await keys.stop())

test('a KEK is replaced without any webhook address changing, and the old one is needed no more', async () => {
  const [ada, bob] = [newUser(), newUser()]
  const token = async (userId: typeof ada) => (await sendRequest(keys.gateway, getWebhook, { userId })).token
  await keys.start()
  openPaperAccounts(keys.executor)
  const ids = { userId: ada, botId: (await link(keys.gateway, ada)).id }
  const before = await token(ada)
  const { token: closeOnly } = await sendRequest(keys.gateway, createCloseOnly, ids)
  const newer = generateKek('newer')

  await keys.stopReplicas()
  await keys.start({ KEK: `${newer},${keys.kek}` })
  expect(await token(ada)).toBe(before)
  const made = await token(bob)
  await rewrapTokens({ DATABASE_URL: keys.databaseUrl, KEK: `${newer},${keys.kek}` }, testLog('keys'))

  await keys.stopReplicas()
  await keys.start({ KEK: newer })
  expect([await token(ada), await token(bob)]).toEqual([before, made])
  expect(await sendRequest(keys.gateway, getCloseOnly, ids)).toEqual({ token: closeOnly })
  const other = { DATABASE_URL: keys.databaseUrl, KEK: generateKek('strange') }
  await expect(rewrapTokens(other, testLog('keys'))).rejects.toThrow('3 webhook tokens open with none')
  expect(await token(ada)).toBe(before)
})
