import { describe, expect, test } from '@jest/globals'
import { readBucket } from '@tripline/kit/bus/bucket'
import { sendRequest, serve } from '@tripline/kit/bus/request'
import { testKey } from '@tripline/proto/executor-request'
import { deleteBot, listBots, testBot, updateBot } from '@tripline/proto/key-request'
import type { KeyTest } from '@tripline/proto/key-test'
import { publishUser } from '../src/publish.ts'
import { configInBucket, keysOfFile, link, newBotId, newUser, refusal, sealFor } from './keys-fixture.ts'

const keys = keysOfFile({ replicas: 2 })

const change = async (
  asked: Parameters<typeof sendRequest<typeof updateBot.asked, typeof updateBot.answered>>[2],
) => await sendRequest(keys.gateway, updateBot, asked)

describe('changing a bot works', () => {
  test('label, market and switches change one by one, and omitted fields stay', async () => {
    const userId = newUser()
    const bot = await link(keys.gateway, userId)
    const ids = { userId, botId: bot.id }
    expect(await change({ ...ids, label: 'Other' })).toEqual({ ...bot, label: 'Other' })
    await change({ ...ids, marketType: 'spot' })
    const changed = await change({ ...ids, notifyOnTrade: false, notifyOnFill: true })
    expect(changed).toEqual({
      ...bot,
      label: 'Other',
      marketType: 'spot',
      notifyOnTrade: false,
      notifyOnFill: true,
    })
    expect(await sendRequest(keys.gateway, listBots, { userId })).toEqual({ bots: [changed] })
    expect((await configInBucket(keys, userId))?.bots).toMatchObject([{ label: 'Other', marketType: 'spot' }])
  })

  test('a label may change in upper and lower case only', async () => {
    const userId = newUser()
    const { id: botId } = await link(keys.gateway, userId, { label: 'mybot' })
    expect(await change({ userId, botId, label: 'MyBot' })).toMatchObject({ label: 'MyBot' })
  })
})

describe('changing a bot refuses', () => {
  test('a label that another bot has, in any spelling, also when many take it at once', async () => {
    const userId = newUser()
    const bots = []
    for (const label of ['A', 'B', 'C']) bots.push(await link(keys.gateway, userId, { label }))
    const [a, b, c] = bots
    if (!a || !b || !c) throw new Error('Not linked')
    expect(await refusal(change({ userId, botId: a.id, label: 'b' }))).toBe('conflict')
    const attempts = [b, c].map(async ({ id }) => await refusal(change({ userId, botId: id, label: 'New' })))
    expect((await Promise.all(attempts)).toSorted()).toEqual(['conflict', 'not refused'])
  })

  test('a label that an alert could not name, and a market that the exchange has not', async () => {
    const userId = newUser()
    const { id: botId } = await link(keys.gateway, userId)
    expect(await refusal(change({ userId, botId, label: 'a/b' }))).toBe('invalid_request')
    await expect(change({ userId, botId, marketType: 'futures_usdt' })).rejects.toMatchObject({
      code: 'invalid_request',
      faults: [{ field: 'marketType', message: 'paper has no market type futures_usdt' }],
    })
  })

  test('the parts of the account: exchange, network and credentials are no part of the request', async () => {
    const userId = newUser()
    const bot = await link(keys.gateway, userId)
    const asked = { userId, botId: bot.id, exchange: 'bybit', isTestnet: true, credentials: { sealed: 'x' } }
    expect(await change(asked)).toEqual(bot)
  })
})

describe('unlinking a bot', () => {
  test('leaves neither bot nor credentials, and its label is free again', async () => {
    const userId = newUser()
    const [bot, other] = [await link(keys.gateway, userId), await link(keys.gateway, userId, { label: 'B' })]
    await sendRequest(keys.gateway, deleteBot, { userId, botId: bot.id })
    expect((await configInBucket(keys, userId))?.bots.map(({ id }) => id)).toEqual([other.id])
    const stored = (await readBucket(keys.ops, 'credentials')).map(({ key }) => key)
    expect(stored).toContain(other.id)
    expect(stored).not.toContain(bot.id)
    expect(await keys.db.selectFrom('unlinked_bot').select('id').execute()).toEqual([])
    await link(keys.gateway, userId)
    expect(await refusal(sendRequest(keys.gateway, deleteBot, { userId, botId: bot.id }))).toBe('not_found')
  })

  test('takes credentials back that another writer derived from an outdated read', async () => {
    const userId = newUser()
    const bot = await link(keys.gateway, userId)
    const entry = await keys.credentials.get(bot.id)
    let hasRead = (): void => undefined
    const reading = new Promise<void>((resolve) => {
      hasRead = resolve
    })
    let goOn = (): void => undefined
    const unlinked = new Promise<void>((resolve) => {
      goOn = resolve
    })
    // A replica that is slow between reading the database and writing credentials.
    const slow = {
      ...keys.credentials,
      get: async (key: string) => {
        hasRead()
        await unlinked
        return await keys.credentials.get(key)
      },
    }
    const publishing = publishUser({ ...keys, credentials: slow }, userId)
    await reading
    await sendRequest(keys.gateway, deleteBot, { userId, botId: bot.id })
    goOn()
    await publishing
    expect(entry).toBeDefined()
    expect(await keys.credentials.get(bot.id)).toBeUndefined()
  })
})

describe('testing a key', () => {
  const outcome: KeyTest = {
    success: false,
    message: 'The exchange refused the key',
    error: 'wrong secret',
    checks: [{ id: 'key_accepted', ok: false, message: 'wrong secret', fix: 'Type it again' }],
  }

  test('is asked of the executor with the sealed credentials, and its answer is passed on', async () => {
    const asked: unknown[] = []
    const stop = serve(keys.executor, testKey, async (bot) => {
      asked.push(bot)
      return outcome
    })
    await keys.executor.connection.flush()
    const userId = newUser()
    const id = newBotId()
    const sealed = sealFor({ userId, botId: id, exchange: 'binance', isTestnet: true })
    const wanted = { id, exchange: 'binance', marketType: 'spot', isTestnet: true } as const
    await link(keys.gateway, userId, wanted, { sealed, apiKeyPreview: 'abcd…wxyz' })
    expect(await sendRequest(keys.gateway, testBot, { userId, botId: id })).toEqual(outcome)
    const { id: _, ...details } = wanted
    expect(asked).toEqual([{ userId, botId: id, ...details, sealed }])
    stop()
  })

  test('is remembered with its moment, and forgotten for no change of the bot', async () => {
    const stop = serve(keys.executor, testKey, async () => outcome)
    await keys.executor.connection.flush()
    const userId = newUser()
    const bot = await link(keys.gateway, userId)
    expect(bot.lastTest).toBeNull()
    const from = Date.now()
    await sendRequest(keys.gateway, testBot, { userId, botId: bot.id })
    const renamed = await change({ userId, botId: bot.id, label: 'Renamed' })
    expect(renamed.lastTest).toEqual({ ...outcome, testedAt: expect.any(String) })
    expect(Date.parse(renamed.lastTest?.testedAt ?? '')).toBeGreaterThanOrEqual(from)
    expect(await sendRequest(keys.gateway, listBots, { userId })).toEqual({ bots: [renamed] })
    stop()
  })

  test('is unavailable while no executor is there', async () => {
    await keys.executor.connection.flush()
    const userId = newUser()
    const { id: botId } = await link(keys.gateway, userId)
    expect(await refusal(sendRequest(keys.gateway, testBot, { userId, botId }))).toBe('unavailable')
  })
})

describe('bots are protected', () => {
  test("another user's bot is not there to change, test or unlink, and stays as it is", async () => {
    const [userId, stranger] = [newUser(), newUser()]
    const bot = await link(keys.gateway, userId)
    await link(keys.gateway, stranger, { label: 'Own' })
    const before = await configInBucket(keys, userId)
    const ids = { userId: stranger, botId: bot.id }
    expect(await refusal(change({ ...ids, label: 'Stolen' }))).toBe('not_found')
    expect(await refusal(sendRequest(keys.gateway, testBot, ids))).toBe('not_found')
    expect(await refusal(sendRequest(keys.gateway, deleteBot, ids))).toBe('not_found')
    expect(await configInBucket(keys, userId)).toEqual(before)
    expect(await sendRequest(keys.gateway, listBots, { userId })).toEqual({ bots: [bot] })
    expect((await configInBucket(keys, stranger))?.version).toBe(1)
  })
})
