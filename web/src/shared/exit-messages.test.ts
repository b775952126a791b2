import { describe, expect, test } from '@jest/globals'
import { readMessage } from '@tripline/proto/language/read-message'
import { cancelMessage, closeMessage, flattenMessage, mostBlocks, openSymbols } from './exit-messages.ts'

const bot = { label: 'My Bot', market: 'futures' } as const
const held = {
  positions: [
    { symbol: 'BTCUSDT', position_side: 'both' },
    { symbol: 'ETHUSDT', position_side: 'long' },
    { symbol: 'ETHUSDT', position_side: 'short' },
  ],
  orders: [{ symbol: 'BTCUSDT' }, { symbol: 'SOLUSDT' }],
} as const

describe('a bot is flattened', () => {
  test('with one block for each symbol, both sides of hedge mode, and cancels alone where orders are alone', () => {
    const message = flattenMessage(bot, held) ?? ''
    expect(message.split('\n')).toEqual([
      'My Bot(BTCUSDT) { market(position=0); cancel }',
      'My Bot(ETHUSDT) { market(position=0, positionSide=long); market(position=0, positionSide=short); cancel }',
      'My Bot(SOLUSDT) { cancel }',
    ])
    expect(readMessage(message, [bot]).diagnostics).toEqual([])
  })

  test('on spot after its orders, which lock the coins to sell', () => {
    const spot = { label: 'Spot', market: 'spot' } as const
    const message = flattenMessage(spot, { ...held, positions: held.positions.slice(0, 1) }) ?? ''
    expect(message.split('\n')[0]).toBe('Spot(BTCUSDT) { cancel; market(position=0) }')
    expect(readMessage(message, [spot]).diagnostics).toEqual([])
  })

  test('with as many blocks as a message takes', () => {
    const orders = Array.from({ length: mostBlocks + 5 }, (_, index) => ({ symbol: `C${index}USDT` }))
    expect(openSymbols({ positions: [], orders })).toHaveLength(mostBlocks + 5)
    const message = flattenMessage(bot, { positions: [], orders }) ?? ''
    expect(readMessage(message, [bot])).toMatchObject({ diagnostics: [], blocks: { length: mostBlocks } })
    expect(readMessage(`${message}\nMy Bot(ETHUSDT) { cancel }`, [bot]).diagnostics).not.toEqual([])
  })

  test('by no message where it is flat', () => {
    expect(flattenMessage(bot, { positions: [], orders: [] })).toBeUndefined()
  })
})

test('one position is closed on its side, and one order is canceled', () => {
  expect(held.positions.slice(0, 2).map((position) => closeMessage(bot, position))).toEqual([
    'My Bot(BTCUSDT) { market(position=0) }',
    'My Bot(ETHUSDT) { market(position=0, positionSide=long) }',
  ])
  const message = cancelMessage(bot, { symbol: 'ETHUSDT', exchange_order_id: '12-aB' })
  expect(message).toBe('My Bot(ETHUSDT) { cancel(order=12-aB) }')
  expect(readMessage(message, [bot]).diagnostics).toEqual([])
})
