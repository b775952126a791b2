import { describe, expect, test } from '@jest/globals'
import type { BotId, UserId } from './id.ts'
import { StorableText } from './storable-text.ts'
import { BotLabel, credentialContext } from './user-config.ts'

describe('a label', () => {
  test.each(['a', 'My Bot', 'my-bot_2', 'x'.repeat(50)])('is %j', (text) => {
    expect(BotLabel.safeParse(text).success).toBe(true)
  })

  test.each(['', 'x'.repeat(51), 'bot(1)', 'böt', 'bot\n', 'a;b', '"a"'])('is not %j', (text) => {
    expect(BotLabel.safeParse(text).success).toBe(false)
  })
})

describe('what a seal of credentials is bound to', () => {
  const bot = {
    userId: '6f1d3c58-6c0f-4f43-9d0c-5b6d3e0a7c11' as UserId,
    botId: '0b7c3ad5-6f0f-4f83-8a53-1f4f8f0f0a77' as BotId,
    exchange: 'binance',
    isTestnet: true,
  } as const

  test('stays as it is: what was sealed would not open again', () => {
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
