import { describe, expect, test } from '@jest/globals'
import { sendRequest } from '@tripline/kit/bus/request'
import type { UserId } from '@tripline/proto/id'
import { deleteBot, updateBot } from '@tripline/proto/key-request'
import { NotificationConfig } from '@tripline/proto/notification'
import { getNotificationSettings, updateNotificationSettings } from '@tripline/proto/notification-request'
import { waitFor } from '@tripline/testkit/wait-for'
import { keysOfFile, link, newUser, refusal } from './keys-fixture.ts'

const keys = keysOfFile()

const inBucket = async (userId: UserId): Promise<NotificationConfig | undefined> => {
  const entry = await keys.notifications.get(userId)
  return entry && NotificationConfig.parse(JSON.parse(entry.text))
}

describe('notification settings work', () => {
  test('they are off and empty at first, and nobody else receives them', async () => {
    const userId = newUser()
    const unset = { isEnabled: false, hasToken: false, chatId: null }
    expect(await sendRequest(keys.gateway, getNotificationSettings, { userId })).toEqual(unset)
    await link(keys.gateway, userId)
    expect(await inBucket(userId)).toBeUndefined()
  })

  test('they change one by one, and the notifier knows them before their owner does', async () => {
    const userId = newUser()
    const bot = await link(keys.gateway, userId)
    const update = { userId, sealedToken: 'sealed', chatId: '-42' }
    expect(await sendRequest(keys.gateway, updateNotificationSettings, update)).toEqual({
      isEnabled: false,
      hasToken: true,
      chatId: '-42',
    })
    const enabled = await sendRequest(keys.gateway, updateNotificationSettings, { userId, isEnabled: true })
    expect(enabled).toEqual({ isEnabled: true, hasToken: true, chatId: '-42' })
    expect(await inBucket(userId)).toEqual({
      userId,
      version: 3,
      isEnabled: true,
      sealedToken: 'sealed',
      chatId: '-42',
      bots: [{ id: bot.id, label: 'MyBot', onTrade: true, onError: true, onFill: false }],
    })
    const without = await sendRequest(keys.gateway, updateNotificationSettings, { userId, sealedToken: null })
    expect(without).toEqual({ isEnabled: true, hasToken: false, chatId: '-42' })
    expect(await inBucket(userId)).toMatchObject({ sealedToken: null })
  })

  test("a bot's switches and label reach the notifier, and an unlinked bot is gone there too", async () => {
    const userId = newUser()
    await sendRequest(keys.gateway, updateNotificationSettings, { userId, isEnabled: true })
    const { id: botId } = await link(keys.gateway, userId)
    await sendRequest(keys.gateway, updateBot, { userId, botId, label: 'Renamed', notifyOnFill: true })
    expect((await inBucket(userId))?.bots).toMatchObject([{ label: 'Renamed', onFill: true }])
    await sendRequest(keys.gateway, deleteBot, { userId, botId })
    expect((await inBucket(userId))?.bots).toEqual([])
  })

  test('they are written again when the bucket has lost them', async () => {
    const userId = newUser()
    await sendRequest(keys.gateway, updateNotificationSettings, { userId, isEnabled: true })
    const before = await inBucket(userId)
    await keys.notifications.remove(userId)
    await keys.start()
    expect(await waitFor(async () => await inBucket(userId))).toEqual(before)
  })
})

test.each(['@name', '12x', '', '1'.repeat(30)])(
  'notification settings refuse the chat %p',
  async (chatId) => {
    const userId = newUser()
    expect(await refusal(sendRequest(keys.gateway, updateNotificationSettings, { userId, chatId }))).toBe(
      'invalid_request',
    )
  },
)

test("notification settings are protected: nobody changes or sees another user's", async () => {
  const [userId, stranger] = [newUser(), newUser()]
  await sendRequest(keys.gateway, updateNotificationSettings, { userId, sealedToken: 'mine', chatId: '1' })
  await sendRequest(keys.gateway, updateNotificationSettings, {
    userId: stranger,
    sealedToken: null,
    chatId: null,
  })
  expect(await inBucket(userId)).toMatchObject({ sealedToken: 'mine', chatId: '1' })
  expect(await sendRequest(keys.gateway, getNotificationSettings, { userId: stranger })).toMatchObject({
    hasToken: false,
    chatId: null,
  })
})
