import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sendRequest } from '@tripline/kit/bus/request'
import { getWebhook } from '@tripline/proto/key-request'
import { type Link, link } from '@tripline/testkit/link'
import { waitFor } from '@tripline/testkit/wait-for'
import { type KeysFixture, keysFixture, newUser, refusal } from './keys-fixture.ts'

let keys: KeysFixture
let database: Link
beforeAll(async () => {
  keys = await keysFixture()
  database = await link(keys.databaseUrl)
})
afterAll(async () => {
  await keys.stop()
  await database.stop()
})

test('keys starts without its database, is unavailable while it is away, and recovers by itself', async () => {
  database.cut()
  const { port } = await keys.start({ DATABASE_URL: database.url })
  const probe = async (path: string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}${path}`)).status
  const userId = newUser()
  const get = async () => await sendRequest(keys.gateway, getWebhook, { userId })
  expect(await refusal(get())).toBe('unavailable')
  expect([await probe('/livez'), await probe('/readyz')]).toEqual([200, 503])

  database.mend()
  await waitFor(async () => (await probe('/readyz')) === 200)
  const webhook = await get()

  database.cut()
  expect(await refusal(get())).toBe('unavailable')
  await waitFor(async () => (await probe('/readyz')) === 503)

  database.mend()
  await waitFor(async () => (await probe('/readyz')) === 200)
  expect(await get()).toEqual(webhook)
})
