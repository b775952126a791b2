import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { sendRequest } from '@tripline/kit/bus/request'
import { deleteBot, listBots, resetBot } from '@tripline/proto/key-request'
import { waitFor } from '@tripline/testkit/wait-for'
import { type Kysely, sql } from 'kysely'
import { up as tidyLabels } from '../migrations/0009-tidy-label.ts'
import {
  configInBucket,
  type KeysFixture,
  link,
  newBotId,
  newUser,
  openPaperAccounts,
  refusal,
  resetPaperAccounts,
  runningKeys,
  sealFor,
  secret,
  secretInBucket,
} from './keys-fixture.ts'

let keys: KeysFixture
let paper: ReturnType<typeof openPaperAccounts>
beforeAll(async () => {
  keys = await runningKeys({ settings: { MAX_BOTS_PER_USER: 4 }, opensAccounts: false })
})
afterAll(async () => await keys.stop())
beforeEach(async () => {
  paper = openPaperAccounts(keys.executor)
  await keys.executor.connection.flush()
})
afterEach(() => paper.stop())

const labelsOf = async (userId: ReturnType<typeof newUser>): Promise<string[]> => {
  const { bots } = await sendRequest(keys.gateway, listBots, { userId })
  return bots.map((bot) => bot.label)
}

test('a user may open so many Paper accounts in 24 hours, those of unlinked bots included', async () => {
  await keys.stopReplicas()
  await keys.start({ MAX_BOTS_PER_USER: 4, PAPER_ACCOUNTS_PER_DAY: 2 })
  try {
    const [userId, other] = [newUser(), newUser()]
    for (let opened = 0; opened < 2; opened++) {
      const { id: botId } = await link(keys.gateway, userId)
      await sendRequest(keys.gateway, deleteBot, { userId, botId })
    }
    expect(await refusal(link(keys.gateway, userId))).toBe('rate_limited')
    expect(paper.asked).toHaveLength(2)
    const bybit = { id: newBotId(), exchange: 'bybit', isTestnet: true } as const
    const sealed = sealFor({ userId, botId: bybit.id, exchange: 'bybit', isTestnet: true })
    await link(keys.gateway, userId, bybit, { sealed, apiKeyPreview: 'key…' })
    await link(keys.gateway, other)
    await keys.db
      .updateTable('paper_account')
      .set({ opened_at: new Date(Date.now() - 90_000_000).toISOString() })
      .execute()
    expect((await link(keys.gateway, userId, { label: 'Later' })).label).toBe('Later')
  } finally {
    await keys.stopReplicas()
    await keys.start({ MAX_BOTS_PER_USER: 4 })
  }
})

describe('linking a bot works', () => {
  test('a Paper bot gets an account of its own, and every service that needs it knows it at once', async () => {
    const userId = newUser()
    const bot = await link(keys.gateway, userId)
    expect(paper.asked).toEqual([bot.id])
    expect(bot).toMatchObject({ label: 'MyBot', exchange: 'paper', apiKeyPreview: 'pape…1234' })
    expect(await configInBucket(keys, userId)).toEqual({
      userId,
      version: 1,
      webhook: {
        tokenHash: expect.any(String),
        isActive: true,
        maxRequestsPerMinute: 10,
        alertFormat: 'tripline',
        onlyTradingview: false,
      },
      bots: [
        {
          id: bot.id,
          label: 'MyBot',
          exchange: 'paper',
          marketType: 'futures',
          isTestnet: false,
          tradingState: 'active',
          maxEntryAgeS: 60,
          exitRetryS: 600,
        },
      ],
    })
    expect(await secretInBucket(keys, bot)).toBe(secret)
  })

  test('a bot with credentials keeps them sealed, and asks for no Paper account', async () => {
    const userId = newUser()
    const id = newBotId()
    const sealed = sealFor({ userId, botId: id, exchange: 'bybit', isTestnet: true })
    const given = { id, exchange: 'bybit', isTestnet: true } as const
    const bot = await link(keys.gateway, userId, given, { sealed, apiKeyPreview: 'abcd…wxyz' })
    expect(bot.apiKeyPreview).toBe('abcd…wxyz')
    expect(await secretInBucket(keys, bot)).toBe(secret)
    expect(paper.asked).toEqual([])
  })

  test('the list shows all bots as they were linked, oldest first', async () => {
    const userId = newUser()
    const linked = []
    for (const label of ['B', 'A', 'C']) linked.push(await link(keys.gateway, userId, { label }))
    expect(await sendRequest(keys.gateway, listBots, { userId })).toEqual({ bots: linked })
    expect((await configInBucket(keys, userId))?.bots.map((bot) => bot.label)).toEqual(['B', 'A', 'C'])
  })

  test('bots linked at once are all stored, here and in the bucket', async () => {
    const userId = newUser()
    await Promise.all(['A', 'B', 'C', 'D'].map(async (label) => await link(keys.gateway, userId, { label })))
    const config = await configInBucket(keys, userId)
    expect(config?.version).toBe(4)
    expect(config?.bots.map((bot) => bot.label).toSorted()).toEqual(['A', 'B', 'C', 'D'])
  })
})

test('a label is stored without the blanks around it', async () => {
  const userId = newUser()
  const bot = await link(keys.gateway, userId, { label: ' My  Bot ' })
  expect(bot.label).toBe('My Bot')
  expect((await configInBucket(keys, userId))?.bots.map(({ label }) => label)).toEqual(['My Bot'])
})

test('older labels that no alert could name, or distinguish, are made distinct when the schema is brought up', async () => {
  const userId = newUser()
  const linked = []
  for (const label of ['A', 'B', 'C', 'D']) linked.push(await link(keys.gateway, userId, { label }))
  await sql`drop index bot_label`.execute(keys.db)
  const before = ['my bot', 'My  Bot', '   ', 'a ']
  for (const [index, { id }] of linked.entries()) {
    const label = before[index] ?? ''
    await keys.db.updateTable('bot').set({ label }).where('id', '=', id).execute()
  }
  await sql`create unique index bot_label on bot (user_id, lower(label))`.execute(keys.db)
  await tidyLabels(keys.db as unknown as Kysely<unknown>)
  const [first = '', , third = ''] = linked.map(({ id }) => id.slice(0, 8))
  const labels = [`my bot ${first}`, 'My Bot', `Bot ${third}`, 'a']
  expect(await labelsOf(userId)).toEqual(labels)
  await waitFor(async () => (await configInBucket(keys, userId))?.version === 5)
  expect((await configInBucket(keys, userId))?.bots.map(({ label }) => label)).toEqual(labels)
})

describe('linking a bot refuses', () => {
  test('a label that is taken, in any spelling of upper and lower case', async () => {
    const userId = newUser()
    await link(keys.gateway, userId, { label: 'My Bot' })
    const request = link(keys.gateway, userId, { label: 'my bot' })
    await expect(request).rejects.toMatchObject({ code: 'conflict', message: 'Label already exists' })
    expect(paper.asked).toHaveLength(1)
  })

  test.each([' my bot', 'My Bot ', 'my  bot'])('a label that is taken but for blanks: %j', async (label) => {
    const userId = newUser()
    await link(keys.gateway, userId, { label: 'My Bot' })
    expect(await refusal(link(keys.gateway, userId, { label }))).toBe('conflict')
  })

  test('a label of spaces alone', async () => {
    const request = link(keys.gateway, newUser(), { label: '   ' })
    await expect(request).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('all but one of many that take one label at once', async () => {
    const userId = newUser()
    const attempts = Array.from({ length: 4 }, async () => await refusal(link(keys.gateway, userId)))
    const outcomes = await Promise.all(attempts)
    expect(outcomes.toSorted()).toEqual(['conflict', 'conflict', 'conflict', 'not refused'])
    expect((await configInBucket(keys, userId))?.version).toBe(1)
  })

  test('a label of characters that an alert could not name', async () => {
    expect(await refusal(link(keys.gateway, newUser(), { label: 'My(Bot)' }))).toBe('invalid_request')
  })

  test('a market that the exchange does not offer, naming each field', async () => {
    const wanted = { exchange: 'bybit', marketType: 'futures_usdt' } as const
    await expect(link(keys.gateway, newUser(), wanted)).rejects.toMatchObject({
      code: 'invalid_request',
      faults: [
        { field: 'marketType', message: 'bybit has no market type futures_usdt' },
        { field: 'credentials', message: 'API credentials are required' },
      ],
    })
  })

  test('Binance futures on the mainnet', async () => {
    const wanted = { exchange: 'binance', marketType: 'futures_usdt' } as const
    const credentials = { sealed: 'sealed', apiKeyPreview: 'abcd' }
    await expect(link(keys.gateway, newUser(), wanted, credentials)).rejects.toMatchObject({
      code: 'invalid_request',
      faults: [{ field: 'isTestnet', message: 'Binance futures are available on the testnet only' }],
    })
  })

  test('one more bot than a user may have', async () => {
    const userId = newUser()
    for (const label of ['A', 'B', 'C', 'D']) await link(keys.gateway, userId, { label })
    expect(await refusal(link(keys.gateway, userId, { label: 'E' }))).toBe('conflict')
    expect(await labelsOf(userId)).toHaveLength(4)
  })

  test('a Paper bot while nobody opens accounts, and keeps nothing of it', async () => {
    paper.stop()
    await keys.executor.connection.flush()
    const userId = newUser()
    expect(await refusal(link(keys.gateway, userId))).toBe('unavailable')
    expect(await labelsOf(userId)).toEqual([])
    expect(await configInBucket(keys, userId)).toBeUndefined()
  })
})

describe('bots are protected', () => {
  test("a user sees no other user's bots and may use the same label", async () => {
    const [mine, other] = [newUser(), newUser()]
    await link(keys.gateway, mine, { label: 'Same' })
    expect(await labelsOf(other)).toEqual([])
    const theirs = await link(keys.gateway, other, { label: 'Same' })
    expect((await configInBucket(keys, mine))?.bots.map((bot) => bot.id)).not.toContain(theirs.id)
  })

  test("nobody can link a bot over another user's", async () => {
    const [mine, other] = [newUser(), newUser()]
    const bot = await link(keys.gateway, mine)
    const before = await keys.credentials.get(bot.id)
    const sealed = sealFor({ userId: other, botId: bot.id, exchange: 'bybit', isTestnet: false })
    const theft = { id: bot.id, label: 'Theft', exchange: 'bybit' } as const
    expect(await refusal(link(keys.gateway, other, theft, { sealed, apiKeyPreview: 'x' }))).toBe('conflict')
    expect(await keys.credentials.get(bot.id)).toEqual(before)
    expect(await labelsOf(other)).toEqual([])
    expect(await labelsOf(mine)).toEqual(['MyBot'])
  })
})

describe('resetting a Paper account', () => {
  test('is asked of the executor with the sealed credentials of the bot', async () => {
    const resets = resetPaperAccounts(keys.executor)
    await keys.executor.connection.flush()
    const userId = newUser()
    const bot = await link(keys.gateway, userId)
    await sendRequest(keys.gateway, resetBot, { userId, botId: bot.id })
    expect(resets.asked).toEqual([{ apiKey: 'key', secret }])
    resets.stop()
  })

  test("is refused for another user's bot as if there were none, and for a bot that is no Paper bot", async () => {
    const [userId, stranger] = [newUser(), newUser()]
    const bot = await link(keys.gateway, userId)
    expect(await refusal(sendRequest(keys.gateway, resetBot, { userId: stranger, botId: bot.id }))).toBe(
      'not_found',
    )
    const real = newBotId()
    const sealed = sealFor({ userId, botId: real, exchange: 'bybit', isTestnet: true })
    await link(
      keys.gateway,
      userId,
      { id: real, label: 'Real', exchange: 'bybit', isTestnet: true },
      { sealed, apiKeyPreview: 'abcd…wxyz' },
    )
    expect(await refusal(sendRequest(keys.gateway, resetBot, { userId, botId: real }))).toBe('conflict')
  })
})
