import { describe, expect, test } from '@jest/globals'
import type { BotId, UserId } from '@tripline/proto/id'
import type { BotConfig } from '@tripline/proto/user-config'
import type { BotClient } from '../venue/pool.ts'
import { createLaneCounts, laneUsesIn } from './alert-lanes.ts'

const userId = 'user' as UserId
const bot = { exchange: 'paper', marketType: 'futures', isTestnet: false } as BotConfig
const known = {
  directory: { bot: (_user: UserId, botId: BotId) => (botId.startsWith('bot') ? bot : undefined) },
  pool: {
    client: (botId: BotId) =>
      botId === 'bot-away'
        ? undefined
        : ({
            accountKey: botId,
            venue: {
              market: (symbol: string) => (symbol === 'ODD' ? undefined : { symbol: symbol.slice(0, 3) }),
            },
          } as unknown as BotClient),
  },
}

const usesIn = (...blocks: object[]) =>
  laneUsesIn(known, userId, JSON.stringify({ message: hostile, blocks }))
/** A text that says where its alert would like to be. */
const hostile = '"botId":"bot-2","symbol":"ETHUSDT","marginMode":1'
const venue = 'paper futures false'

describe('the lanes of an alert are read from its stored text', () => {
  test.each([
    [
      'of a market, however it is spelled',
      [{ botId: 'bot-1', symbol: 'BTCUSDT' }],
      [{ venue, lane: 'bot-1 BTC' }],
    ],
    ['of a symbol with quotes', [{ botId: 'bot-1', symbol: 'B"C' }], [{ venue, lane: 'bot-1 B"C' }]],
    [
      'of an alert of two accounts',
      [
        { botId: 'bot-1', symbol: 'BTCUSDT' },
        { botId: 'bot-3', symbol: 'BTCUSD' },
      ],
      [
        { venue, lane: 'bot-1 BTC' },
        { venue, lane: 'bot-1 BTC' },
        { venue, lane: 'bot-3 BTC' },
        { venue, lane: 'bot-3 BTC' },
      ],
    ],
    ['of a bot that has no client', [{ botId: 'bot-away', symbol: 'BTCUSDT' }], [{ venue }]],
    ['of a market that is not known', [{ botId: 'bot-1', symbol: 'ODD' }], [{ venue }]],
    [
      'of a command for the whole account',
      [{ botId: 'bot-1', symbol: 'BTCUSDT', commands: [{ marginMode: 'cross' }] }],
      [{ venue }],
    ],
    [
      'of very many',
      Array.from({ length: 20 }, (_none, i) => ({ botId: 'bot-1', symbol: `${i}` })),
      [{ venue }],
    ],
    ['of a bot that is not known', [{ botId: 'other', symbol: 'BTCUSDT' }], undefined],
  ])('%s', (_name, blocks, uses) => {
    expect(usesIn(...blocks)).toEqual(uses)
  })
})

test('a text that is no alert has lanes all the same, so that it is read and removed', () => {
  const [botId, symbol] = ['"botId":"bot-1"', '"symbol":"B\\q"']
  expect(laneUsesIn(known, userId, `{${botId},${symbol}}`)).toEqual([{ venue, lane: 'bot-1 B\\q' }])
})

test('lanes are used as long as one that uses them is left', () => {
  const counts = createLaneCounts()
  const btc = [{ venue, lane: 'btc' }]
  counts.add(btc)
  counts.add(btc)
  counts.remove(btc)
  expect([counts.touches(btc), counts.touches([{ venue, lane: 'eth' }]), counts.touches(undefined)]).toEqual([
    true,
    false,
    true,
  ])
  counts.remove(btc)
  expect(counts.touches(undefined)).toBe(false)
})
