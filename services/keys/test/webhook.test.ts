import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { sendRequest } from '@tripline/kit/bus/request'
import { getWebhook, regenerateWebhook, renewWebhook, updateWebhook } from '@tripline/proto/key-request'
import { configInBucket, keysOfFile, newUser, refusal } from './keys-fixture.ts'

const keys = keysOfFile({ replicas: 2 })

const get = async (userId: ReturnType<typeof newUser>) =>
  await sendRequest(keys.gateway, getWebhook, { userId })

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

describe('a webhook works', () => {
  test('it is made on first asking, and intake knows it before its owner does', async () => {
    const userId = newUser()
    const webhook = await get(userId)
    expect(webhook).toEqual({
      token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      isActive: true,
      maxRequestsPerMinute: 10,
      alertFormat: 'tripline',
      onlyTradingview: false,
    })
    const tokenHash = hashOf(webhook.token)
    expect(await configInBucket(keys, userId)).toEqual({
      userId,
      version: 1,
      webhook: {
        tokenHash,
        isActive: true,
        maxRequestsPerMinute: 10,
        alertFormat: 'tripline',
        onlyTradingview: false,
      },
      bots: [],
    })
  })

  test('all first callers at once get the same token', async () => {
    const userId = newUser()
    const answers = await Promise.all(Array.from({ length: 10 }, async () => await get(userId)))
    expect(new Set(answers.map((webhook) => webhook.token)).size).toBe(1)
    expect(await get(userId)).toEqual(answers[0])
  })

  test('its settings change one by one, and omitted ones stay', async () => {
    const userId = newUser()
    const { token } = await get(userId)
    await sendRequest(keys.gateway, updateWebhook, { userId, maxRequestsPerMinute: 60 })
    await sendRequest(keys.gateway, updateWebhook, { userId, alertFormat: 'finandy' })
    await sendRequest(keys.gateway, updateWebhook, { userId, onlyTradingview: true })
    const changed = await sendRequest(keys.gateway, updateWebhook, { userId, isActive: false })
    expect(changed).toEqual({
      token,
      isActive: false,
      maxRequestsPerMinute: 60,
      alertFormat: 'finandy',
      onlyTradingview: true,
    })
    expect(await get(userId)).toEqual(changed)
    expect(await sendRequest(keys.gateway, updateWebhook, { userId })).toEqual(changed)
    expect((await configInBucket(keys, userId))?.webhook).toMatchObject({
      isActive: false,
      maxRequestsPerMinute: 60,
      alertFormat: 'finandy',
      onlyTradingview: true,
    })
  })

  test('a new token takes the place of the old one everywhere before its owner knows it; settings stay', async () => {
    const userId = newUser()
    const before = await get(userId)
    await sendRequest(keys.gateway, updateWebhook, { userId, maxRequestsPerMinute: 20 })
    const after = await sendRequest(keys.gateway, regenerateWebhook, { userId })
    const bucket = await configInBucket(keys, userId)
    expect(after).toEqual({
      ...before,
      token: expect.not.stringMatching(before.token),
      maxRequestsPerMinute: 20,
    })
    expect(bucket?.webhook.tokenHash).toBe(hashOf(after.token))
    expect(await get(userId)).toEqual(after)
    const stored = await keys.db.selectFrom('webhook').select('token_hash').execute()
    expect(stored.map((row) => row.token_hash)).not.toContain(hashOf(before.token))
  })

  test('a token that is replaced many times at once ends as one, the same here and in the bucket', async () => {
    const userId = newUser()
    const attempts = Array.from(
      { length: 8 },
      async () => await sendRequest(keys.gateway, regenerateWebhook, { userId }),
    )
    const tokens = (await Promise.all(attempts)).map(({ token }) => token)
    expect(new Set(tokens).size).toBe(8)
    const { token } = await get(userId)
    expect(tokens).toContain(token)
    expect((await configInBucket(keys, userId))?.webhook.tokenHash).toBe(hashOf(token))
  })
})

describe('a renewal that another service asks for', () => {
  test('gives the webhook a new token once, however often it is asked for', async () => {
    const auth = await keys.connect('auth')
    const userId = newUser()
    const { token } = await get(userId)
    const renewalId = randomUUID()
    const renew = async () => await sendRequest(auth, renewWebhook, { userId, renewalId })
    await Promise.all([renew(), renew(), renew()])
    const renewed = await get(userId)
    expect(renewed.token).not.toBe(token)
    expect((await configInBucket(keys, userId))?.webhook.tokenHash).toBe(hashOf(renewed.token))
    expect(await renew()).toEqual({})
    expect(await get(userId)).toEqual(renewed)
    const own = await sendRequest(keys.gateway, regenerateWebhook, { userId })
    await renew()
    expect(await get(userId)).toEqual(own)
  })

  test('makes no webhook for a user without one', async () => {
    const auth = await keys.connect('auth')
    const userId = newUser()
    expect(await sendRequest(auth, renewWebhook, { userId, renewalId: randomUUID() })).toEqual({})
    expect(await configInBucket(keys, userId)).toBeUndefined()
  })
})

describe('a webhook refuses', () => {
  test.each([0, 61, 1.5])('a limit of %p requests a minute', async (maxRequestsPerMinute) => {
    const userId = newUser()
    expect(await refusal(sendRequest(keys.gateway, updateWebhook, { userId, maxRequestsPerMinute }))).toBe(
      'invalid_request',
    )
    expect(await configInBucket(keys, userId)).toBeUndefined()
  })
})

describe('a webhook is protected', () => {
  test("a change of one user's leaves another's alone", async () => {
    const [mine, other] = [newUser(), newUser()]
    const [before, theirs] = [await get(mine), await get(other)]
    expect(before.token).not.toBe(theirs.token)
    await sendRequest(keys.gateway, updateWebhook, { userId: other, isActive: false })
    await sendRequest(keys.gateway, regenerateWebhook, { userId: other })
    expect(await get(mine)).toEqual(before)
  })
})
