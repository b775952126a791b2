import { describe, expect, test } from '@jest/globals'
import { messageSummary } from './message-summary.ts'

const labels = ['Bot', 'My Bot', 'Scalper-2']

describe('the summary of a message', () => {
  test.each([
    ['Bot(BTCUSDT) { market(buy, 0.01) }', 'Bot → market'],
    ['Go: My Bot(BTCUSDT) {\n  market(buy, 1)\n  balance()\n}', 'My Bot → market → balance'],
    ['Bot(BTCUSDT) { balance } Scalper-2(ETHUSDT) { balance() }', 'Bot → balance, Scalper-2 → balance'],
    ['Unknown(BTCUSDT) { market(sell, 1) }', 'Unknown → market'],
    ['"Bot"(BTCUSDT) { balance }', 'Bot → balance'],
  ])('of %j is %s', (message, summary) => {
    expect(messageSummary(message, labels)).toBe(summary)
  })

  test('without a command is the text on one line', () => {
    expect(messageSummary('hello\n  world', labels)).toBe('hello world')
  })
})
