import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { commandTable, parametersOf } from './command-table.ts'
import { type Completions, completionsAt } from './complete.ts'
import type { KnownBot } from './label.ts'
import { readMessage } from './read-message.ts'

const bots: KnownBot[] = [
  { label: 'MyBot', market: 'futures' },
  { label: 'My Long Bot', market: 'futures' },
  { label: 'Spot1', market: 'spot' },
]
const symbols = ['BTCUSDT', 'BTCUSDT.P', 'ETHUSDT']

/** Returns the completions at the bar. */
function at(message: string): Completions {
  const offset = message.indexOf('|')
  return completionsAt(message.replace('|', ''), offset, bots, symbols)
}

function labels(message: string, kind?: string): string[] {
  return at(message).items.flatMap((item) => (kind === undefined || item.kind === kind ? [item.label] : []))
}

const limitNames = commandTable.filter(({ type }) => type === 'limit').flatMap(parametersOf)

describe('outside of blocks', () => {
  test.each([
    ['|', ['MyBot', 'My Long Bot', 'Spot1']],
    ['up! my|', ['MyBot', 'My Long Bot']],
    ['go my l|', ['My Long Bot']],
    ['MyBot(BTCUSDT) { balance }\nSp|', ['Spot1']],
    ['nothing|', []],
  ])('%j offers the bots %j', (message, expected) => {
    expect(labels(message)).toEqual(expected)
  })

  test('the typed part of a label is replaced, blanks included', () => {
    const { range, items } = at('go my l|')
    expect({ range, insert: items[0]?.insert }).toEqual({
      range: { offset: 3, length: 4 },
      insert: 'My Long Bot(',
    })
  })

  test.each([
    ['MyBot(|', [...symbols, '{{ticker}}']],
    ['My Long Bot( bt|', ['BTCUSDT', 'BTCUSDT.P']],
    ['MyBot({{|', ['{{ticker}}']],
  ])('%j offers the symbols %j', (message, expected) => {
    expect(labels(message)).toEqual(expected)
  })
})

describe('in a block', () => {
  test('commands stand first by their canonical names, then by the others', () => {
    const offered = labels('MyBot(BTCUSDT) { |')
    expect(offered.slice(0, commandTable.length)).toEqual(commandTable.map(({ type }) => type))
    expect(offered).toHaveLength(commandTable.flatMap((spec) => [spec.type, ...spec.spellings]).length)
  })

  test.each([
    ['MyBot(BTCUSDT) { market(buy, 1); sto|', ['stopOrder', 'stopOrTakeProfit', 'stop', 'stopMarket']],
    ['MyBot(BTCUSDT) {\n  oco(tag=x) { |', ['limit', 'stopOrder', 'limitOrder', 'stop']],
    ['MyBot(BTCUSDT) {\n  oco { |', ['limit', 'stopOrder', 'limitOrder', 'stop']],
    ['MyBot(BTCUSDT) { oco { limit(sell, 1, 2); stop(sell, 1, 1) }\nmar|', ['market', 'marketOrder']],
    ['MyBot(BTCUSDT) { type=ma|', ['market', 'marketOrder']],
  ])('%j offers first %j', (message, expected) => {
    expect(labels(message).slice(0, expected.length)).toEqual(expected)
    expect(at(message).items.every(({ kind }) => kind === 'command')).toBe(true)
  })

  test.each(['MyBot(BTCUSDT) { # mar|', 'MyBot(BTCUSDT) { /* mar|', 'MyBot(BTCUSDT) { nonsense(|'])(
    '%j offers nothing',
    (message) => {
      expect(labels(message)).toEqual([])
    },
  )

  test('a command after a closed comment is offered again', () => {
    expect(labels('MyBot(BTCUSDT) { # note\n wai|')).toEqual(['wait'])
  })
})

describe('in the parentheses of a command', () => {
  test('the values of the place come first, then the parameters', () => {
    expect(labels('MyBot(BTCUSDT) { limit(|', 'value')).toEqual(['buy', 'sell'])
    expect(labels('MyBot(BTCUSDT) { limit(|', 'parameter')).toEqual(limitNames)
    expect(labels('MyBot(BTCUSDT) { limit(|', 'placeholder')).toEqual(['{{strategy.order.action}}'])
    expect(labels('MyBot(BTCUSDT) { limit(buy, |', 'value')).toContain('50%p')
    expect(labels('MyBot(BTCUSDT) { limit(buy, 1, |', 'value')).toContain('e2%')
  })

  test('a parameter that is there, or contradicts one that is there, is not offered', () => {
    const after = (list: string) => labels(`MyBot(BTCUSDT) { limit(${list}, |`, 'parameter')
    expect(after('buy, 1, 5')).toEqual(['postOnly', 'reduceOnly', 'tif', 'positionSide', 'tag'])
    expect(after('position=0, tag=x')).toEqual(
      limitNames.filter((name) => !['side', 'amount', 'position', 'tag'].includes(name)),
    )
    expect(after('buy, qty=1, offset=1%')).not.toContain('price')
  })

  test.each([
    ['MyBot(BTCUSDT) { limit(buy, 1, 5, tif=|', ['gtc', 'ioc', 'fok']],
    ['MyBot(BTCUSDT) { limit(buy, 1, 5, timeInForce = i|', ['ioc']],
    ['MyBot(BTCUSDT) { limit(buy, 1, 5, post=|', ['true', 'false']],
    ['MyBot(BTCUSDT) { type=stop, side=|', ['buy', 'sell']],
    ['MyBot(BTCUSDT) { wait(|', ['10s', '2m', '1h']],
    ['Spot1(BTCUSDT) { stop(sell, 1, 5, trigger=|', ['last']],
  ])('%j offers the values %j', (message, expected) => {
    expect(labels(message, 'value')).toEqual(expected)
  })

  test('pairs offer the parameters of their type, also on the line that a comma promises', () => {
    expect(labels('MyBot(BTCUSDT) { type=wait, |')).toEqual(['duration'])
    expect(labels('MyBot(BTCUSDT) { type=wait,\n d|')).toEqual(['duration'])
    expect(labels('MyBot(BTCUSDT) { type=wait, duration=1\n |')).toContain('market')
  })

  test('no bot is offered commands that it refuses', () => {
    expect(labels('Spot1(BTCUSDT) { settings(|', 'parameter')).toEqual([])
    expect(labels('MyBot(BTCUSDT) { settings(|', 'parameter')).toEqual([
      'leverage',
      'marginMode',
      'positionMode',
    ])
  })
})

test('every value offered is one that the parameter takes', () => {
  for (const spec of commandTable) {
    for (const name of parametersOf(spec)) {
      for (const value of labels(`MyBot(BTCUSDT) { ${spec.type}(${name}=|`, 'value')) {
        const { diagnostics } = readMessage(`MyBot(BTCUSDT) { ${spec.type}(${name}=${value}) }`, bots)
        expect([name, value, diagnostics.filter(({ code }) => /^E3|E205/.test(code))]).toEqual([
          name,
          value,
          [],
        ])
      }
    }
  }
})

test('every completion is described in one line, and stands in the text', () => {
  const words = [
    'MyBot(BTCUSDT) { ',
    'market(',
    'buy, ',
    'type=limit, ',
    '\u200b',
    'tif=',
    'oco { ',
    '} ',
    '# x\n',
    '{{',
    '/*',
  ]
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...words, ...'(){},;= \n"a'), { maxLength: 20 }),
      fc.nat(200),
      (parts, place) => {
        const message = parts.join('')
        const offset = Math.min(place, message.length)
        const { range, items } = completionsAt(message, offset, bots, symbols)
        expect(range.offset + range.length).toBeLessThanOrEqual(offset)
        for (const { doc, insert } of items) expect([doc, insert].join('')).not.toMatch(/\n|undefined|^$/)
      },
    ),
    { numRuns: 1000 },
  )
})
