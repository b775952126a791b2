import { describe, expect, test } from '@jest/globals'
import { readMessage } from '@tripline/proto/language/read-message'
import { emptyTemplate, quickActionsOf } from './templates.ts'

describe.each(['futures', 'spot'] as const)('the quick actions of a %s bot', (market) => {
  const bot = { label: 'My Bot', market }

  test('are messages with nothing wrong in them', () => {
    for (const { message } of quickActionsOf(bot)) {
      expect(readMessage(message, [bot]).diagnostics).toEqual([])
      expect(readMessage(message, [bot]).blocks).toMatchObject([{ label: 'My Bot', symbol: 'BTCUSDT' }])
    }
  })

  test('speak of a position only where there is one, and close all of it', () => {
    const texts = quickActionsOf(bot).map(({ message }) => message)
    expect(texts.some((text) => text.includes('%p'))).toBe(market === 'futures')
    expect(texts).toContain('My Bot(BTCUSDT) { market(position=0) }')
  })

  test('close and cancel in every symbol that has something, where that is known', () => {
    const held = {
      positions: [{ symbol: 'ETHUSDT', position_side: 'both' }],
      orders: [{ symbol: 'SOLUSDT' }],
    } as const
    const close = quickActionsOf(bot, held).find(({ title }) => title === 'Close All Positions')
    expect(readMessage(close?.message ?? '', [bot])).toMatchObject({
      diagnostics: [],
      blocks: [{ symbol: 'ETHUSDT' }, { symbol: 'SOLUSDT' }],
    })
    expect(quickActionsOf(bot, { positions: [], orders: [] })).toEqual(quickActionsOf(bot))
  })

  test('set leverage only where there is one', () => {
    const [long] = quickActionsOf(bot)
    expect(long?.message.includes('leverage=10')).toBe(market === 'futures')
  })
})

test('an empty template has its cursor between the braces', () => {
  const { message, bodyOffset } = emptyTemplate('MyBot')
  expect(`${message.slice(0, bodyOffset)}|${message.slice(bodyOffset)}`).toBe('MyBot(BTCUSDT) {\n  |\n}')
})
