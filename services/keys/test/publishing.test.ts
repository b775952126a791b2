import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { Bucket } from '@tripline/kit/bus/bucket'
import { NoAnswerError, NobodyThereError } from '@tripline/kit/bus/bus-request'
import { sendRequest } from '@tripline/kit/bus/request'
import type { UserId } from '@tripline/proto/id'
import { getWebhook, updateWebhook } from '@tripline/proto/key-request'
import type { UserConfig } from '@tripline/proto/user-config'
import { link as linkTo } from '@tripline/testkit/link'
import { waitFor } from '@tripline/testkit/wait-for'
import { publishUser } from '../src/publish.ts'
import { changeUser } from '../src/store/change-user.ts'
import { putUnlessNewer } from '../src/store/published-state.ts'
import { setWebhook } from '../src/store/webhook.ts'
import {
  configInBucket,
  type KeysFixture,
  link,
  newUser,
  runningKeys,
  secret,
  secretInBucket,
} from './keys-fixture.ts'

let keys: KeysFixture
beforeAll(async () => {
  keys = await runningKeys({ replicas: 0 })
})
afterEach(async () => await keys.stopReplicas())
afterAll(async () => await keys.stop())

const webhookOf = async (userId: UserId): Promise<UserConfig['webhook'] | undefined> =>
  (await configInBucket(keys, userId))?.webhook

describe('the content of the buckets', () => {
  test('catches up with a change whose process died between database and bucket', async () => {
    await keys.start()
    const userId = newUser()
    await sendRequest(keys.gateway, getWebhook, { userId })
    const settings = {
      isActive: false,
      maxRequestsPerMinute: 7,
      alertFormat: 'tvhub',
      onlyTradingview: true,
    } as const
    await changeUser(keys.db, userId, async (changing) => await setWebhook(changing, userId, settings))
    await waitFor(async () => (await webhookOf(userId))?.maxRequestsPerMinute === 7)
    await waitFor(async () => {
      const rows = keys.db.selectFrom('user_config').selectAll().where('user_id', '=', userId)
      const row = await rows.executeTakeFirstOrThrow()
      return row.published_version === 2 && row.version === 2
    })
  })

  test('is written again at the next start when a bucket has lost it', async () => {
    const replica = await keys.start()
    const userId = newUser()
    const bot = await link(keys.gateway, userId)
    const config = await configInBucket(keys, userId)
    await replica.stop()
    await keys.configs.remove(userId)
    await keys.credentials.remove(bot.id)
    await keys.start()
    await waitFor(async () => (await configInBucket(keys, userId)) !== undefined)
    expect(await configInBucket(keys, userId)).toEqual(config)
    expect(await secretInBucket(keys, bot)).toBe(secret)
  })

  test('is written again with the next connection, before which a bucket may have lost it', async () => {
    const way = await linkTo(`nats://${keys.ops.connection.getServer()}`)
    await keys.start({ NATS_URL: way.url })
    const userId = newUser()
    await sendRequest(keys.gateway, getWebhook, { userId })
    const config = await configInBucket(keys, userId)
    way.cut()
    await keys.configs.remove(userId)
    way.mend()
    await waitFor(async () => (await configInBucket(keys, userId)) !== undefined)
    expect(await configInBucket(keys, userId)).toEqual(config)
    await keys.stopReplicas()
    await way.stop()
  })

  test('is published again where the first write had no leader to answer it', async () => {
    await keys.start()
    const userId = newUser()
    await sendRequest(keys.gateway, getWebhook, { userId })
    await keys.stopReplicas()
    const { db, credentials, notifications } = keys
    await changeUser(db, userId, async () => undefined)
    const lost: unknown[] = [new NobodyThereError('$KV.config'), new NoAnswerError(2000)]
    const putIf: Bucket['putIf'] = async (key, text, revision) => {
      const error = lost.shift()
      if (error === undefined) return await keys.configs.putIf(key, text, revision)
      // An unanswered write may be done.
      if (error instanceof NoAnswerError) await keys.configs.putIf(key, text, revision)
      throw error
    }
    await publishUser({ db, configs: { ...keys.configs, putIf }, credentials, notifications }, userId)
    expect([lost, (await configInBucket(keys, userId))?.version]).toEqual([[], 2])
  })

  test('is never replaced by something older', async () => {
    await keys.start()
    const userId = newUser()
    await sendRequest(keys.gateway, getWebhook, { userId })
    const config = await configInBucket(keys, userId)
    if (config === undefined) throw new Error('The webhook is not in the bucket')
    const newer = { ...config, version: 100 }
    await keys.configs.put(userId, JSON.stringify(newer))
    await sendRequest(keys.gateway, updateWebhook, { userId, isActive: false })
    expect(await configInBucket(keys, userId)).toEqual(newer)
  })

  test('ends with the newest, in any order of writers', async () => {
    const userId = newUser()
    const config = (version: number): UserConfig => ({
      userId,
      version,
      webhook: {
        tokenHash: 'a'.repeat(64),
        isActive: true,
        maxRequestsPerMinute: 1,
        alertFormat: 'tripline',
      },
      bots: [],
    })
    const versions = [3, 9, 1, 7, 10, 2, 8, 4, 6, 5]
    await Promise.all(versions.map(async (version) => await putUnlessNewer(keys.configs, config(version))))
    expect((await configInBucket(keys, userId))?.version).toBe(10)
  })

  test('ends with the last change when two replicas change one user at once', async () => {
    await Promise.all([keys.start(), keys.start()])
    const userId = newUser()
    const limits = Array.from({ length: 40 }, (_, index) => index + 1)
    await Promise.all(
      limits.map(
        async (maxRequestsPerMinute) =>
          await sendRequest(keys.gateway, updateWebhook, { userId, maxRequestsPerMinute }),
      ),
    )
    const { maxRequestsPerMinute } = await sendRequest(keys.gateway, getWebhook, { userId })
    expect(await configInBucket(keys, userId)).toMatchObject({
      version: 40,
      webhook: { maxRequestsPerMinute },
    })
  })
})
