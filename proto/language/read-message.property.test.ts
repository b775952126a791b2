import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Block } from '../alert-tree.ts'
import { commandTable, parametersOf } from './command-table.ts'
import { isError } from './diagnostic.ts'
import type { KnownBot } from './label.ts'
import { noteBlocks } from './notation.ts'
import { parseMessage } from './parser.ts'
import { noProblems } from './problem.ts'
import { type MessageReading, readMessage } from './read-message.ts'
import type { Span } from './tree.ts'

const bots: KnownBot[] = [
  { label: 'MyBot', market: 'futures' },
  { label: 'My Long Bot', market: 'futures' },
  { label: 'Spot1', market: 'spot' },
]

const names = commandTable.flatMap((spec) => [spec.type, ...spec.spellings, ...parametersOf(spec)])
const pieces = [
  ...names,
  ...bots.map(({ label }) => label),
  ...'(){},;=\'"#/*@$%- \n\r\t.:0123456789e',
  ...['{{', '}}', '/*', '*/', '//', '# ', '@id ', 'BTCUSDT', '100%', 'buy', 'sell', 'NaN', 'type=', 'if='],
  ...['\u200b', '\ufeff', '\u00a0', '\u2028', '–', 'é', '😀', '\ud800'],
]

const validMessages = [
  'MyBot(BTCUSDT) { market(buy, 100%); oco(tag=a) { stop(sell, 100%, 58000); limit(sell, 100%, 62000) } }',
  'My Long Bot(BTC/USDT:USDT) { type=limit, side=buy, amount=1, offset=1%; wait(10) balance }',
  'Spot1(ETHUSDT) { cancel(tagged, x); stopOrTakeProfit(amount=50$, sl=e-1%, tp=@9000) }',
]

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.array(fc.constantFrom(...pieces), { maxLength: 80 }).map((parts) => parts.join('')),
  mutatedMessages(),
)

test('any text is answered, and every reported place lies in the text', () => {
  fc.assert(
    fc.property(anyText, (message) => {
      const reading = readMessage(message, bots)
      expect(spansOf(reading).filter((span) => !isWithin(span, message))).toEqual([])
      for (const { line, column, excerpt } of reading.diagnostics) {
        expect(line).toBeGreaterThan(0)
        expect(column).toBeGreaterThan(0)
        expect(excerpt).toContain('^')
      }
    }),
    { numRuns: 3000 },
  )
})

test('any text either gives blocks of the travelling form and no error, or no block', () => {
  fc.assert(
    fc.property(anyText, (message) => {
      const { blocks, diagnostics } = readMessage(message, bots)
      const errors = diagnostics.filter(isError)
      if (errors.length > 0) expect(blocks).toEqual([])
      if (blocks.length === 0) expect(diagnostics).not.toEqual([])
      for (const block of blocks) expect(Block.parse(JSON.parse(JSON.stringify(block)))).toEqual(block)
    }),
    { numRuns: 3000 },
  )
})

test('blanks, lines and comments between the words of a message change nothing', () => {
  const words = ['{', 'market', '(', 'buy', ',', '1', ')', ';', 'oco', '(', 'tag', '=', 'a', ')', '{']
  const leg = ['limit', '(', 'sell', ',', '100%', ',', 'offset', '=', '1%', ')']
  const body = [...words, ...leg, ';', 'stop', '(', 'sell', ',', '1', ',', '5', ')', '}', '}']
  const gap = fc
    .array(
      fc.constantFrom(' ', '\t', '\n', '\r\n', '\u00a0', '\u200b', ' /* a, (b} */ ', ' # c; }\n', '\n// {\n'),
    )
    .map((parts) => parts.join(''))
  const plain = noteBlocks(readMessage(`MyBot(BTCUSDT)${body.join('')}`, bots).blocks)
  expect(plain).toHaveLength(1)
  fc.assert(
    fc.property(fc.array(gap, { minLength: body.length, maxLength: body.length }), (gaps) => {
      const message = `MyBot(BTCUSDT)${body.map((word, index) => gaps[index] + word).join('')}`
      const { blocks, diagnostics } = readMessage(message, bots)
      expect({ tree: noteBlocks(blocks), diagnostics }).toEqual({ tree: plain, diagnostics: [] })
    }),
    { numRuns: 1000 },
  )
})

test('text before and after a block changes nothing but where it stands', () => {
  const around = fc.string({ maxLength: 60 }).map((text) => text.replace(/[(){}@/*]|# /g, ''))
  const [valid = ''] = validMessages
  const plain = noteBlocks(readMessage(valid, bots).blocks)
  fc.assert(
    fc.property(around, around, (before, after) => {
      const { blocks } = readMessage(`${before}\n${valid}${after}`, bots)
      expect(noteBlocks(blocks)).toEqual(plain)
    }),
  )
})

// Squared, the work on these would not end within a test's time; readMessage takes no text that long.
const longLength = 400_000
const repeated = [
  ...['a', '(', ')', '{', '}', '{{', '(a)', '(a) ', '(a)#', '(a) # ', '(a)\n# ', '(a)/*', '/* ', '# (a) {\n'],
  ...[
    '"',
    "'",
    "'a ",
    'MyBot(BTCUSDT) {',
    'MyBot(BTCUSDT) { balance }',
    'a=,',
    'a,',
    '\n',
    ' ',
    'market(',
    'oco{',
  ],
  ...['tag=a, ', 'type=a, ', 'market(buy 1\n', 'limit(buy, 1, 2, 3) ', 'a{{', 'market: ', '"a", ', 'x=a\n'],
  ...['a (b) {', 'a b c d e f g h ', '} market(', '=(', '{ market', '{(', '({{', ') \n', 'a(bb) {', '1'],
]
const openings = [
  '',
  'MyBot(BTCUSDT) { ',
  'MyBot(BTCUSDT) { market(',
  'MyBot(BTCUSDT) { oco { ',
  'MyBot(BTCUSDT) { type=limit, ',
  '# MyBot(BTCUSDT) {',
]

test.each(repeated)('text that repeats %j is read in linear time', (piece) => {
  for (const opening of openings) {
    const text = opening + piece.repeat(longLength / piece.length)
    expect(parseMessage(text, noProblems()).blocks.length).toBeLessThanOrEqual(20)
  }
})

/** Valid messages with a few stretches cut out, doubled or replaced. */
function mutatedMessages(): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat(110),
    length: fc.nat(6),
    by: fc.oneof(fc.constant(''), fc.constantFrom(...pieces)),
  })
  return fc
    .tuple(fc.constantFrom(...validMessages), fc.array(change, { minLength: 1, maxLength: 4 }))
    .map(([message, changes]) =>
      changes.reduce((text, { at, length, by }) => text.slice(0, at) + by + text.slice(at + length), message),
    )
}

function spansOf({ blocks, diagnostics }: MessageReading): Span[] {
  const commands = blocks.flatMap(({ commands }) => commands)
  const legs = commands.flatMap((command) => (command.type === 'oneCancelsOther' ? command.legs : []))
  return [
    ...diagnostics.flatMap(({ span, fix }) => (fix ? [span, fix.span] : [span])),
    ...blocks.flatMap(({ span, labelSpan, symbolSpan }) => [span, labelSpan, symbolSpan]),
    ...[...commands, ...legs].flatMap(({ span, valueSpans }) => [span, ...Object.values(valueSpans)]),
  ]
}

function isWithin({ offset, length }: Span, message: string): boolean {
  return offset >= 0 && length >= 0 && offset + length <= message.length
}
