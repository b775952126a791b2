import { randomUUID } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import type { BotId, UserId } from './id.ts'
import { getTrading, updateTrading } from './key-request.ts'
import { StorableText } from './storable-text.ts'
import { BotLabel, credentialContext, NewBotLabel, StoredUserConfig } from './user-config.ts'

describe('a label', () => {
  test.each(['a', 'My Bot', 'my-bot_2', 'x'.repeat(50)])('is %j', (text) => {
    expect(BotLabel.safeParse(text).success).toBe(true)
  })

  test.each(['', 'x'.repeat(51), 'bot(1)', 'böt', 'bot\n', 'a;b', '"a"'])('is not %j', (text) => {
    expect(BotLabel.safeParse(text).success).toBe(false)
  })
})

describe('a new label', () => {
  test.each([
    [' a', 'a'],
    ['a ', 'a'],
    ['  My   Bot\n', 'My Bot'],
    [` ${'x'.repeat(50)} `, 'x'.repeat(50)],
  ])('%j becomes %j', (text, label) => {
    expect(NewBotLabel.parse(text)).toBe(label)
  })

  test.each(['', ' ', '   ', 'x'.repeat(51), 'bot\n2'])('is not %j', (text) => {
    expect(NewBotLabel.safeParse(text).success).toBe(false)
  })
})

describe('the context that a seal of credentials is bound to', () => {
  const bot = {
    userId: '6f1d3c58-6c0f-4f43-9d0c-5b6d3e0a7c11' as UserId,
    botId: '0b7c3ad5-6f0f-4f83-8a53-1f4f8f0f0a77' as BotId,
    exchange: 'binance',
    isTestnet: true,
  } as const

  test('stays as it is: earlier seals would not open again', () => {
    expect(credentialContext(bot)).toBe(`v1|${bot.userId}|${bot.botId}|binance|testnet`)
  })

  test('differs by bot, user, venue and network', () => {
    const contexts = [
      bot,
      { ...bot, botId: bot.userId as string as BotId },
      { ...bot, userId: bot.botId as string as UserId },
      { ...bot, exchange: 'bybit' as const },
      { ...bot, isTestnet: false },
    ].map(credentialContext)
    expect(new Set(contexts).size).toBe(contexts.length)
  })
})

test.each([
  ['text', true],
  ['', true],
  ['x'.repeat(512), true],
  ['x'.repeat(513), false],
  ['a\0b', false],
])('a column can hold %#: %j', (text, isStorable) => {
  expect(StorableText.safeParse(text).success).toBe(isStorable)
})

test('trading settings of an older version have the usual time for exits, and a change leaves it alone', () => {
  const ofOlder = { state: 'active', maxEntryAgeS: 60, maxOrderValue: null }
  expect(getTrading.answered.parse(ofOlder)).toEqual({ ...ofOlder, exitRetryS: 600 })
  const asked = { userId: randomUUID(), botId: randomUUID(), maxEntryAgeS: 5 }
  expect(updateTrading.asked.parse(asked)).toEqual(asked)
})

test('a bot that a newer version wrote is set aside, and one of an older version is read', () => {
  const mine = {
    id: '0b7c3ad5-6f0f-4f83-8a53-1f4f8f0f0a77',
    label: 'MyBot',
    exchange: 'paper',
    marketType: 'futures',
    isTestnet: false,
    tradingState: 'active',
    maxEntryAgeS: 60,
  }
  const settled = { ...mine, exitRetryS: 0 }
  const newer = { ...mine, id: '0b7c3ad5-6f0f-4f83-8a53-1f4f8f0f0a78', label: 'Newer', exchange: 'newer' }
  const webhook = { tokenHash: '0'.repeat(64), isActive: true, maxRequestsPerMinute: 60 }
  const userId = '6f1d3c58-6c0f-4f43-9d0c-5b6d3e0a7c11'
  const stored = { userId, version: 1, webhook, bots: [newer, mine, settled, 'nonsense'] }
  const { config, unreadable } = StoredUserConfig.parse(stored)
  expect(config.bots).toEqual([{ ...mine, exitRetryS: 600 }, settled])
  expect(unreadable).toEqual([{ id: newer.id, label: 'Newer' }])
})
