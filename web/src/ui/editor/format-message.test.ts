import { describe, expect, test } from '@jest/globals'
import type { KnownBot } from '@tripline/proto/language/label'
import { formatMessage } from './format-message.ts'

const bots: KnownBot[] = [
  { label: 'Bot', market: 'futures' },
  { label: 'My Bot', market: 'futures' },
]

describe('a message is formatted', () => {
  test.each([
    ['Bot(btcusdt){market(b,0.01);balance}', 'Bot(BTCUSDT) {\n  market(buy, 0.01)\n  balance\n}'],
    ['Go now:\n"My Bot"(BTC/USDT) {balance} #done', 'Go now:\nMy Bot(BTCUSDT) {\n  balance\n} #done'],
    [
      'Bot(BTCUSDT) {balance}\r\nBot(ETHUSDT) {balance}',
      'Bot(BTCUSDT) {\n  balance\n}\r\nBot(ETHUSDT) {\n  balance\n}',
    ],
  ])('%j', (message, formatted) => {
    expect(formatMessage(message, bots)).toBe(formatted)
    expect(formatMessage(formatted, bots)).toBe(formatted)
  })

  test.each([
    'Bot(BTCUSDT) { market(buy }',
    'no block at all',
    'Bot(BTCUSDT) {market(buy,1) # all in\n}',
    '{"bot": "Bot", "symbol": "BTCUSDT", "commands": ["balance"]}',
    '',
  ])('but never where that would lose something: %j', (message) => {
    expect(formatMessage(message, bots)).toBe(message)
  })

  test('with its other blocks, where one has a comment', () => {
    const message = 'Bot(BTCUSDT) {balance # b\n}\nBot(BTCUSDT) {balance}'
    expect(formatMessage(message, bots)).toBe('Bot(BTCUSDT) {balance # b\n}\nBot(BTCUSDT) {\n  balance\n}')
  })
})
