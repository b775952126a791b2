import { describe, expect, test } from '@jest/globals'
import { readMessage } from '@tripline/proto/language/read-message'
import { filledMessage, strategyMessage } from './strategy-message.ts'

const aim = { label: 'My Bot', symbol: 'ETHUSDT', isFromChart: true }
const bots = [{ label: 'My Bot', market: 'futures' as const }]

const read = (message: string) => {
  const { blocks, diagnostics } = readMessage(message, bots)
  return { diagnostics, commands: blocks[0]?.commands, symbol: blocks[0]?.symbol }
}

describe('the message for alerts of a strategy', () => {
  test('takes the position of the strategy', () => {
    const message = strategyMessage(aim, 'position')
    expect(message).toBe('My Bot({{ticker}}) {\n  market(position={{strategy.position_size}})\n}')
    for (const [size, value] of [
      ['-0.02', '-0.02'],
      ['0', '0'],
      ['1.5', '1.5'],
    ] as const) {
      const filled = message.replace('{{ticker}}', 'BTCUSDT.P').replace('{{strategy.position_size}}', size)
      expect(read(filled)).toMatchObject({
        diagnostics: [],
        symbol: 'BTCUSDT',
        commands: [{ type: 'market', position: { basis: 'base', value } }],
      })
    }
  })

  test('repeats its orders', () => {
    const message = strategyMessage({ ...aim, isFromChart: false }, 'orders')
    expect(message).toBe(
      'My Bot(ETHUSDT) {\n  market({{strategy.order.action}}, {{strategy.order.contracts}})\n}',
    )
    const filled = message
      .replace('{{strategy.order.action}}', 'sell')
      .replace('{{strategy.order.contracts}}', '0.02')
    expect(read(filled)).toMatchObject({
      diagnostics: [],
      commands: [{ type: 'market', side: 'sell', amount: { basis: 'base', value: '0.02' } }],
    })
  })

  test('leaves a text that is no symbol to the chart', () => {
    expect(strategyMessage({ ...aim, symbol: '?', isFromChart: false }, 'orders')).toContain('({{ticker}})')
  })

  test.each(['position', 'orders'] as const)(
    'by %s is one that can be tried once it is filled in',
    (follow) => {
      expect(read(filledMessage(strategyMessage(aim, follow), 'BTCUSDT')).diagnostics).toEqual([])
    },
  )
})
