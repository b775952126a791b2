import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { sendRequest } from '@tripline/kit/bus/request'
import type { BotId, UserId } from '@tripline/proto/id'
import {
  type Bot,
  createCloseOnly,
  deleteBot,
  deleteCloseOnly,
  getCloseOnly,
  getWebhook,
  regenerateCloseOnly,
  regenerateWebhook,
  renewWebhook,
} from '@tripline/proto/key-request'
import { configInBucket, keysOfFile, link, newBotId, newUser, refusal } from './keys-fixture.ts'

const keys = keysOfFile({ replicas: 2 })

interface Owned {
  userId: UserId
  bot: Bot
  ids: { userId: UserId; botId: BotId }
}

async function owned(userId = newUser(), label = 'MyBot'): Promise<Owned> {
  const bot = await link(keys.gateway, userId, { label })
  return { userId, bot, ids: { userId, botId: bot.id } }
}

/** Returns what intake and the executors know of the close-only addresses of a user, bot by bot. */
async function published(userId: UserId): Promise<(string | undefined)[]> {
  return (await configInBucket(keys, userId))?.bots.map((bot) => bot.closeOnlyTokenHash) ?? []
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
const tokenOf = async (ids: Owned['ids']) => (await sendRequest(keys.gateway, getCloseOnly, ids)).token

describe('a close-only address', () => {
  test('is there once it is asked for, and then known by its hash to intake before its owner sees it', async () => {
    const { userId, ids } = await owned()
    expect([await tokenOf(ids), await published(userId)]).toEqual([null, [undefined]])
    const { token } = await sendRequest(keys.gateway, createCloseOnly, ids)
    expect(await published(userId)).toEqual([hashOf(token)])
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(await tokenOf(ids)).toBe(token)
    expect(token).not.toBe((await sendRequest(keys.gateway, getWebhook, { userId })).token)
  })

  test('is one for each bot, and one that is asked for again is refused and stays', async () => {
    const userId = newUser()
    const [one, two] = [await owned(userId, 'One'), await owned(userId, 'Two')]
    const first = await sendRequest(keys.gateway, createCloseOnly, one.ids)
    const second = await sendRequest(keys.gateway, createCloseOnly, two.ids)
    expect(await published(userId)).toEqual([hashOf(first.token), hashOf(second.token)])
    const again = Array.from(
      { length: 5 },
      async () => await refusal(sendRequest(keys.gateway, createCloseOnly, one.ids)),
    )
    expect(new Set(await Promise.all(again))).toEqual(new Set(['conflict']))
    expect(await tokenOf(one.ids)).toBe(first.token)
  })

  test('of several that are asked for at once is made once', async () => {
    const { userId, ids } = await owned()
    const made = await Promise.allSettled(
      Array.from({ length: 6 }, async () => await sendRequest(keys.gateway, createCloseOnly, ids)),
    )
    const tokens = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value.token] : []))
    expect(tokens).toEqual([await tokenOf(ids)])
    expect(await published(userId)).toEqual(tokens.map(hashOf))
  })

  test('gets a new token, by which alone it is found then; the webhook keeps its own', async () => {
    const { userId, ids } = await owned()
    const { token: main } = await sendRequest(keys.gateway, getWebhook, { userId })
    const { token: before } = await sendRequest(keys.gateway, createCloseOnly, ids)
    const { token: after } = await sendRequest(keys.gateway, regenerateCloseOnly, ids)
    expect(after).not.toBe(before)
    expect(await published(userId)).toEqual([hashOf(after)])
    await sendRequest(keys.gateway, regenerateWebhook, { userId })
    expect(await tokenOf(ids)).toBe(after)
    expect((await sendRequest(keys.gateway, getWebhook, { userId })).token).not.toBe(main)
  })

  test('ends when it is taken away, and can be made anew', async () => {
    const { userId, ids } = await owned()
    const { token } = await sendRequest(keys.gateway, createCloseOnly, ids)
    await sendRequest(keys.gateway, deleteCloseOnly, ids)
    expect([await tokenOf(ids), await published(userId)]).toEqual([null, [undefined]])
    expect((await sendRequest(keys.gateway, createCloseOnly, ids)).token).not.toBe(token)
  })

  test('ends with its bot, and leaves no row', async () => {
    const { userId, ids } = await owned()
    const { token } = await sendRequest(keys.gateway, createCloseOnly, ids)
    await sendRequest(keys.gateway, deleteBot, ids)
    expect(await published(userId)).toEqual([])
    const rows = await keys.db.selectFrom('close_only_address').select('token_hash').execute()
    expect(rows.map((row) => row.token_hash)).not.toContain(hashOf(token))
  })

  test('gets a new token with the webhook when a password was reset, once for each reset', async () => {
    const auth = await keys.connect('auth')
    const userId = newUser()
    const [one, two] = [await owned(userId, 'One'), await owned(userId, 'Two')]
    const { token } = await sendRequest(keys.gateway, createCloseOnly, one.ids)
    const renewalId = randomUUID()
    await sendRequest(auth, renewWebhook, { userId, renewalId })
    const renewed = await tokenOf(one.ids)
    expect(renewed).not.toBe(token)
    expect(await published(userId)).toEqual([hashOf(renewed ?? ''), undefined])
    await sendRequest(auth, renewWebhook, { userId, renewalId })
    expect(await tokenOf(one.ids)).toBe(renewed)
    expect(await tokenOf(two.ids)).toBeNull()
  })

  test('shows its token to nobody else: rows and logs have it encrypted or not at all', async () => {
    const { ids } = await owned()
    const { token } = await sendRequest(keys.gateway, createCloseOnly, ids)
    const rows = await keys.db.selectFrom('close_only_address').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(keys.lines.join()).not.toContain(token)
  })
})

describe('a close-only address is refused', () => {
  const requests = [
    ['is asked for', getCloseOnly],
    ['is made', createCloseOnly],
    ['is replaced', regenerateCloseOnly],
    ['is taken away', deleteCloseOnly],
  ] as const

  test.each(requests)("where one of another user's bot, or of no bot, %s", async (_name, request) => {
    const mine = await owned()
    const { token } = await sendRequest(keys.gateway, createCloseOnly, mine.ids)
    const { userId } = await owned()
    for (const botId of [mine.bot.id, newBotId()])
      expect(await refusal(sendRequest(keys.gateway, request, { userId, botId }))).toBe('not_found')
    expect(await tokenOf(mine.ids)).toBe(token)
    expect(await published(mine.userId)).toEqual([hashOf(token)])
  })

  test.each(requests.slice(2))('where one %s that is not there', async (_name, request) => {
    const { ids } = await owned()
    expect(await refusal(sendRequest(keys.gateway, request, ids))).toBe('not_found')
    expect(await tokenOf(ids)).toBeNull()
  })
})
