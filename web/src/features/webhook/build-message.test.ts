import { describe, expect, test } from '@jest/globals'
import { openEnvelope } from '@tripline/proto/language/formats/envelope'
import { readMessage } from '@tripline/proto/language/read-message'
import fc from 'fast-check'
import { asJson, buildMessage, type MessageDraft } from './build-message.ts'
import { draftFaults } from './draft-faults.ts'
import { exampleMessages } from './example-messages.ts'

const bots = [{ label: 'My Bot', market: 'futures' as const }]
const examples = (['futures', 'spot'] as const).flatMap((market) =>
  exampleMessages({ label: 'My Bot', market }).map((example) => ({ ...example, market })),
)

const draft: MessageDraft = {
  label: 'My Bot',
  symbol: 'BTC/USDT:USDT',
  isFromChart: false,
  action: 'buy',
  size: '10',
  unit: 'percentEquity',
  leverage: '',
  stopLoss: '1',
  takeProfit: '',
}

describe('a built message', () => {
  test('has an entry and its exits', () => {
    expect(buildMessage(draft)).toBe(`My Bot(BTCUSDT.P) {
  market(buy, 10%b)
  stopOrTakeProfit(amount=100%p, sl=1%)
}`)
  })

  test('sets the leverage first', () => {
    expect(buildMessage({ ...draft, leverage: '10', stopLoss: '' })).toBe(`My Bot(BTCUSDT.P) {
  exchangeSettings(10)
  market(buy, 10%b)
}`)
  })

  test('closes a position without a size', () => {
    expect(buildMessage({ ...draft, action: 'close' })).toBe(`My Bot(BTCUSDT.P) {
  market(position=0)
}`)
  })

  test('leaves the symbol to the charting platform', () => {
    expect(buildMessage({ ...draft, isFromChart: true })).toContain('My Bot({{ticker}}) {')
  })

  test('can be carried out where no field has a fault, and is for the typed values', () => {
    const text = fc.string({ maxLength: 8 })
    const numberLike = fc.constantFrom('', '0', '-1', '1e-3', '1e9', '0.0001', '99', '1,5', '10%', 'x')
    const anyDraft = fc.record({
      label: fc.constantFrom('My Bot'),
      symbol: fc.oneof(text, fc.constantFrom('BTCUSDT', 'eth/usdt', 'BTCUSDT.P')),
      isFromChart: fc.constantFrom(false),
      action: fc.constantFrom('buy', 'sell', 'close'),
      size: numberLike,
      unit: fc.constantFrom('base', 'percentEquity', 'percentAvailable', 'quote'),
      leverage: numberLike,
      stopLoss: numberLike,
      takeProfit: numberLike,
    })
    fc.assert(
      fc.property(anyDraft, (any) => {
        fc.pre(Object.keys(draftFaults(any)).length === 0)
        const { blocks, diagnostics } = readMessage(buildMessage(any), bots)
        expect(diagnostics.filter(({ code }) => code.startsWith('E'))).toEqual([])
        expect(blocks).toHaveLength(1)
      }),
    )
  })
})

describe('a field', () => {
  test.each([
    [{ size: 'abc' }, ['size']],
    [{ size: '' }, ['size']],
    [{ size: '0' }, ['size']],
    [{ leverage: '500' }, ['leverage']],
    [{ leverage: 'x' }, ['leverage']],
    [{ stopLoss: '100', takeProfit: '-1' }, ['stopLoss', 'takeProfit']],
    [{ symbol: '?' }, ['symbol']],
    [{ symbol: '?', isFromChart: true }, []],
    [{ action: 'close', size: 'abc', leverage: '500' }, []],
    [{ leverage: '125', stopLoss: '', takeProfit: '0.5' }, []],
  ] as [Partial<MessageDraft>, string[]][])('of %j has a fault: %j', (change, fields) => {
    expect(Object.keys(draftFaults({ ...draft, ...change }))).toEqual(fields)
  })
})

describe('the examples of a bot', () => {
  test.each(examples)('$name on $market: is read without a complaint', ({ message, market }) => {
    const { blocks, diagnostics } = readMessage(message, [{ label: 'My Bot', market }])
    expect(diagnostics).toEqual([])
    expect(blocks).toHaveLength(1)
  })

  test.each(examples)('$name on $market: is our own language in any format, as JSON', ({ message }) => {
    expect(openEnvelope(asJson(message), 'traderspost')).toEqual({ message, format: 'tripline' })
  })
})
