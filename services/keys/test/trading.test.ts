import { describe, expect, test } from '@jest/globals'
import { sendRequest } from '@tripline/kit/bus/request'
import {
  getTrading,
  getUserTrading,
  type Trading,
  updateTrading,
  updateUserTrading,
} from '@tripline/proto/key-request'
import type { BotConfig } from '@tripline/proto/user-config'
import { configInBucket, keysOfFile, link, newUser, refusal } from './keys-fixture.ts'

const keys = keysOfFile()

const botsInBucket = async (userId: ReturnType<typeof newUser>): Promise<BotConfig[]> =>
  (await configInBucket(keys, userId))?.bots ?? []

describe('trading settings work', () => {
  test('they start open, change one by one, and the executor knows them before their owner does', async () => {
    const userId = newUser()
    const { id: botId } = await link(keys.gateway, userId)
    const first = { state: 'active', maxEntryAgeS: 60, exitRetryS: 600, maxOrderValue: null }
    expect(await sendRequest(keys.gateway, getTrading, { userId, botId })).toEqual(first)
    const [bot] = await botsInBucket(userId)
    expect(bot).not.toHaveProperty('maxOrderValue')
    expect(bot).toHaveProperty('exitRetryS', 600)
    await sendRequest(keys.gateway, updateTrading, { userId, botId, exitRetryS: 0 })
    await sendRequest(keys.gateway, updateTrading, { userId, botId, maxOrderValue: '1000.50' })
    await sendRequest(keys.gateway, updateTrading, { userId, botId, maxEntryAgeS: 5 })
    const changed = await sendRequest(keys.gateway, updateTrading, { userId, botId, state: 'reducing' })
    expect(changed).toEqual({ state: 'reducing', maxEntryAgeS: 5, exitRetryS: 0, maxOrderValue: '1000.50' })
    expect(await botsInBucket(userId)).toMatchObject([
      { id: botId, tradingState: 'reducing', maxEntryAgeS: 5, exitRetryS: 0, maxOrderValue: '1000.50' },
    ])
    const without = await sendRequest(keys.gateway, updateTrading, { userId, botId, maxOrderValue: null })
    expect(without).toEqual({ ...changed, maxOrderValue: null })
    expect(await sendRequest(keys.gateway, getTrading, { userId, botId })).toEqual(without)
  })

  test('the state of the user holds all bots, and each has its own again afterwards', async () => {
    const userId = newUser()
    const bots = []
    for (const label of ['A', 'B', 'C']) bots.push(await link(keys.gateway, userId, { label }))
    const [, second, third] = bots
    if (!second || !third) throw new Error('Not linked')
    await sendRequest(keys.gateway, updateTrading, { userId, botId: second.id, state: 'halted' })
    const states = async () => (await botsInBucket(userId)).map(({ tradingState }) => tradingState)
    expect(await sendRequest(keys.gateway, getUserTrading, { userId })).toEqual({ state: 'active' })
    await sendRequest(keys.gateway, updateUserTrading, { userId, state: 'reducing' })
    expect(await states()).toEqual(['reducing', 'halted', 'reducing'])
    expect(await sendRequest(keys.gateway, getTrading, { userId, botId: third.id })).toMatchObject({
      state: 'active',
    })
    await sendRequest(keys.gateway, updateUserTrading, { userId, state: 'active' })
    expect(await states()).toEqual(['active', 'halted', 'active'])
  })

  test('a user without bots can pause, and the first bot is paused from its beginning', async () => {
    const userId = newUser()
    await sendRequest(keys.gateway, updateUserTrading, { userId, state: 'halted' })
    expect(await sendRequest(keys.gateway, getUserTrading, { userId })).toEqual({ state: 'halted' })
    await link(keys.gateway, userId)
    expect((await botsInBucket(userId))[0]?.tradingState).toBe('halted')
  })
})

test.each([
  ['an age of nothing', { maxEntryAgeS: 0 }],
  ['an age of more than a day', { maxEntryAgeS: 86_401 }],
  ['half a second', { maxEntryAgeS: 0.5 }],
  ['a time to retry below nothing', { exitRetryS: -1 }],
  ['a time to retry of more than an hour', { exitRetryS: 3601 }],
  ['half a second to retry', { exitRetryS: 0.5 }],
  ['a value of nothing', { maxOrderValue: '0.00' }],
  ['a value below nothing', { maxOrderValue: '-1' }],
  ['a value that is no decimal', { maxOrderValue: '1e3' }],
  ['a value of hundreds of digits', { maxOrderValue: '9'.repeat(300) }],
  ['a state that there is not', { state: 'paused' as Trading['state'] }],
])('trading settings refuse %s', async (_name, changes) => {
  const userId = newUser()
  const { id: botId } = await link(keys.gateway, userId)
  expect(await refusal(sendRequest(keys.gateway, updateTrading, { userId, botId, ...changes }))).toBe(
    'invalid_request',
  )
  expect((await configInBucket(keys, userId))?.version).toBe(1)
})

test("trading settings are protected: another user's bot is not there, and another user's state is their own", async () => {
  const [userId, stranger] = [newUser(), newUser()]
  const { id: botId } = await link(keys.gateway, userId)
  await link(keys.gateway, stranger)
  const before = await configInBucket(keys, userId)
  expect(await refusal(sendRequest(keys.gateway, getTrading, { userId: stranger, botId }))).toBe('not_found')
  const theft = sendRequest(keys.gateway, updateTrading, { userId: stranger, botId, state: 'halted' })
  expect(await refusal(theft)).toBe('not_found')
  await sendRequest(keys.gateway, updateUserTrading, { userId: stranger, state: 'halted' })
  expect(await configInBucket(keys, userId)).toEqual(before)
  expect(await sendRequest(keys.gateway, getUserTrading, { userId })).toEqual({ state: 'active' })
})
