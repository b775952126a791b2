import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Block } from '../../alert-tree.ts'
import { isError } from '../diagnostic.ts'
import type { KnownBot } from '../label.ts'
import { noteBlocks } from '../notation.ts'
import { readMessage } from '../read-message.ts'
import type { Span } from '../tree.ts'
import { readAlert } from './read-alert.ts'

const bots: KnownBot[] = [
  { label: 'MyBot', market: 'futures' },
  { label: 'ByBot', market: 'futures' },
  { label: 'My-Bot2', market: 'futures' },
  { label: 'Spot1', market: 'spot' },
]

const read = (json: string) => readAlert(json, 'tripline', bots)

function reportedIn(json: string): [code: string, place: string][] {
  return read(json).diagnostics.map(({ code, span }) => [code, textAt(json, span)])
}

function textAt(text: string, { offset, length }: Span): string {
  return text.slice(offset, offset + length)
}

/** A block of MyBot with these commands. */
function inBlock(...commands: (object | string)[]): string {
  const written = commands.map((command) => (typeof command === 'string' ? command : JSON.stringify(command)))
  return `{"bot": "MyBot", "symbol": "BTCUSDT", "commands": [${written.join(', ')}]}`
}

describe('commands in JSON', () => {
  test('are equal to those of the text', () => {
    const json = `[
      {"bot": "mybot", "symbol": "BINANCE:BTCUSDT.P", "commands": [
        {"type": "limit", "side": "long", "qty": "50%b", "offset": "1%", "postOnly": true, "tag": "a-1"},
        {"type": "oco", "mode": "reduce", "legs": [
          {"type": "stop", "side": "sell", "amount": "100%", "price": 58000},
          {"type": "limit", "side": "sell", "amount": "100%", "price": "e3%"}
        ]},
        {"TYPE": "wait", "duration": 10},
        {"type": "cancel"}
      ]},
      {"symbol": "ETH/USDT", "commands": [{"type": "market", "side": "buy", "amount": "100$"}], "bot": "Spot1"}
    ]`
    const text = `mybot(BINANCE:BTCUSDT.P) {
      limit(long, qty=50%b, offset=1%, postOnly=true, tag=a-1)
      oco(mode=reduce) { stop(sell, 100%, 58000); limit(sell, 100%, e3%) }
      wait(10); cancel
    } Spot1(ETH/USDT) { market(buy, 100$) }`
    const { blocks, diagnostics } = read(json)
    expect(diagnostics).toEqual([])
    expect(noteBlocks(blocks)).toEqual(noteBlocks(readMessage(text, bots).blocks))
    for (const block of blocks) expect(Block.parse(JSON.parse(JSON.stringify(block)))).toEqual(block)
  })

  test.each([
    ['0.1', '0.1'],
    ['1e-8', '0.00000001'],
    ['12345678901234567890.123456789', '12345678901234567890.123456789'],
    ['0.30000000000000000001', '0.30000000000000000001'],
    ['"1e-8"', '0.00000001'],
    ['1E3', '1000'],
  ])('keep every digit of %s', (written, value) => {
    const [block] = read(inBlock(`{"type": "market", "side": "buy", "amount": ${written}}`)).blocks
    expect(block?.commands).toMatchObject([{ amount: { basis: 'base', value } }])
  })

  test('stand at their places in the JSON, escapes and all', () => {
    const json =
      '{"commands": [{"type": "market", "side": "buy", "amount": " 1\\u0030 "}], "symbol": "BTC\\/USDT", "bot": "MyBot"}'
    const [block] = read(json).blocks
    const [command] = block?.commands ?? []
    const spans = [block?.span, block?.labelSpan, block?.symbolSpan, command?.span, command?.valueSpans.side]
    expect(spans.map((span) => span && textAt(json, span))).toEqual([
      json,
      'MyBot',
      'BTC\\/USDT',
      '{"type": "market", "side": "buy", "amount": " 1\\u0030 "}',
      'buy',
    ])
    expect(command).toMatchObject({ amount: { value: '10' } })
  })

  test('have the message’s id and time beside them', () => {
    const json = `{"id": 12, "sent_at": "2026-01-01", "bot": "MyBot", "symbol": "BTCUSDT", "commands": [{"type": "balance"}]}`
    expect(read(json)).toMatchObject({ id: '12', sentAt: '2026-01-01', diagnostics: [] })
  })

  test('may have typographic blanks and line ends between them', () => {
    expect(read(`\ufeff${inBlock({ type: 'balance' }).replaceAll(' ', '\u00a0\r\n')}\n`).diagnostics).toEqual(
      [],
    )
  })
})

describe('a message in JSON', () => {
  test.each([
    ['{"message": "MyBot(BTCUSDT) {\\n  balance\\n}"}'],
    ['{"message": "MyBot(BTCUSDT) {\n  balance\n}", "note": {"any": [1, null]}}'],
  ])('%j is read as text', (json) => {
    expect(noteBlocks(read(json).blocks)).toEqual([
      { label: 'MyBot', symbol: 'BTCUSDT', cmds: [{ t: 'balance' }] },
    ])
  })

  test('has its places in the JSON', () => {
    const json = '{"id": "a", "message": "\\u00a0up\\n\\"MyBot\\"(BTCUSDT) { markt(buy,\\u00a01) }"}'
    expect(reportedIn(json)).toEqual([['E202', 'markt']])
    const [diagnostic] = read(json).diagnostics
    expect(diagnostic).toMatchObject({ line: 1, column: json.indexOf('markt') + 1 })
  })

  test('takes the id from the JSON before its own', () => {
    expect(read('{"id": "a", "message": "@id b\\nMyBot(BTCUSDT) { balance }"}').id).toBe('a')
  })
})

test.each([
  ['E101', '{"text": "MyBot(BTCUSDT) { balance }"}', '{'],
  ['E101', '{}', '{'],
  ['E101', inBlock('{"type": "balance"} {"type": "cancel"}'), '{'],
  ['E101', inBlock("{'type': 'balance'}"), "'"],
  ['E101', inBlock('{"type": buy}'), 'b'],
  ['E101', inBlock('{"type": "balance",}'), '}'],
  ['E101', `${inBlock({ type: 'balance' })} MyBot`, 'M'],
  ['E102', '{"bot": "MyBot", "commands": [', '['],
  ['E104', inBlock(), inBlock()],
  ['E105', inBlock('"balance"'), 'balance'],
  ['E107', '{"bot": "MyBot', '"MyBot'],
  ['E108', inBlock('{"type": "market", "side": "buy", "amount": {{x}}}'), '{{x}}'],
  ['E108', inBlock({ type: 'market', side: 'buy', amount: '1{{x}}' }), '{{x}}'],
  ['E108', '{"id": "{{x}}", "message": "MyBot(BTCUSDT) { balance }"}', '{{x}}'],
  ['E109', `{"id": "${'x'.repeat(65)}", "message": "MyBot(BTCUSDT) { balance }"}`, 'x'.repeat(65)],
  ['E109', inBlock('['.repeat(12)), '['],
  ['E109', inBlock(...Array.from({ length: 51 }, () => ({ type: 'balance' }))), '{"type":"balance"}'],
  [
    'E109',
    `[${Array.from({ length: 21 }, () => inBlock({ type: 'balance' })).join()}]`,
    inBlock({ type: 'balance' }),
  ],
  ['E110', inBlock('{"type": "market", "side": null, "amount": 1}'), 'null'],
  ['E110', inBlock({ type: 'market', side: 'buy', amount: [1] }), '[1]'],
  ['E110', inBlock({ type: 'market', side: 'buy', amount: '' }), ''],
  ['E110', '{"bot": "MyBot", "symbol": "BTCUSDT", "commands": {}}', '{}'],
  [
    'E111',
    inBlock({ type: 'market', side: 'buy', amount: 1, legs: [{ type: 'balance' }, { type: 'balance' }] }),
    'market',
  ],
  ['E103', '{"bot": " ", "symbol": "BTCUSDT", "commands": [{"type": "balance"}]}', ''],
  ['E201', '{"bot": "Typo", "symbol": "BTCUSDT", "commands": [{"type": "balance"}]}', 'Typo'],
  ['E202', inBlock({ type: 'markt', side: 'buy' }), 'markt'],
  ['E204', inBlock({ type: 'market', side: 'buy', amount: 1, if: 1 }), '"if":1'],
  ['E204', '{"if": "flat", "bot": "MyBot", "symbol": "BTCUSDT", "commands": [{"type": "balance"}]}', 'if'],
  ['E205', inBlock({ type: 'market', side: 'buy', amout: 1 }), 'amout'],
  [
    'E205',
    '{"botname": 1, "bot": "MyBot", "symbol": "BTCUSDT", "commands": [{"type": "balance"}]}',
    'botname',
  ],
  ['E207', inBlock('{"type": "balance", "type": "cancel"}'), 'type'],
  ['E207', inBlock({ type: 'market', side: 'buy', qty: 1, size: 1 }), '"size":1'],
  ['E208', inBlock({ side: 'buy' }), 'side'],
  ['E208', '{"bot": "MyBot", "commands": [{"type": "balance"}]}', '{'],
  ['E208', '{"symbol": "BTCUSDT", "commands": [{"type": "balance"}]}', '{'],
  ['E210', inBlock({ type: 'oco', legs: [{ type: 'limit', side: 'sell', amount: 1, price: 2 }] }), 'oco'],
  ['E212', inBlock({ type: 'oco' }), 'oco'],
  ['E302', inBlock('{"type": "market", "side": "buy", "amount": NaN}'), 'NaN'],
  ['E304', inBlock({ type: 'market', side: 'buy', amount: -5 }), '-5'],
  ['E403', '{"bot": "Spot1", "symbol": "BTCUSDT.P", "commands": [{"type": "balance"}]}', 'BTCUSDT.P'],
])('%s is reported, alone, of %j at %j', (code, json, place) => {
  expect({ blocks: read(json).blocks, reported: reportedIn(json) }).toEqual({
    blocks: [],
    reported: [[code, place]],
  })
})

test('a fix stands in the JSON, and mends it', () => {
  const json = inBlock({ type: 'market', side: 'buy', amount: '2x' })
  const [{ fix } = {}] = read(json).diagnostics
  const { span, text } = fix ?? { span: { offset: 0, length: 0 }, text: '' }
  expect(read(json.slice(0, span.offset) + text + json.slice(span.offset + span.length)).diagnostics).toEqual(
    [],
  )
})

interface Vector {
  in: string
  ast?: VectorBlock[]
}
interface VectorBlock {
  label: string
  symbol: string
  perp?: true
  cmds: VectorCommand[]
}
type VectorCommand = Record<string, unknown> & { t: string; legs?: VectorCommand[] }

const vectors = readFileSync(new URL('../vectors.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Vector => JSON.parse(line))

const trees = vectors.flatMap(({ ast }) => (ast && ast.length > 0 ? [ast] : []))

test.each(trees.map((tree) => [JSON.stringify(tree), tree] as const))(
  'as JSON the tree %s comes back',
  (_, tree) => {
    expect(noteBlocks(read(JSON.stringify(tree.map(jsonOf))).blocks)).toEqual(tree)
  },
)

function jsonOf({ label, symbol, perp, cmds }: VectorBlock): object {
  return { bot: label, symbol: perp ? `${symbol}.P` : symbol, commands: cmds.map(commandJson) }
}

function commandJson({ t, legs, ...values }: VectorCommand): object {
  const written = Object.entries(values).map(([name, value]) => [name, writtenAs(name, value)])
  return { type: t, ...Object.fromEntries(written), ...(legs && { legs: legs.map(commandJson) }) }
}

/** A value of the notation as a person would write it. */
function writtenAs(name: string, value: unknown): unknown {
  if (name === 'duration') return `${value}ms`
  if (typeof value !== 'string') return value
  const [basis, number = '', coin] = value.split(':')
  switch (basis) {
    case 'base':
    case 'abs':
    case 'rel':
      return number
    case 'pct':
      return `${number}%`
    case 'pctB':
      return `${number}%b`
    case 'pctA':
      return `${number}%a`
    case 'pctP':
      return `${number}%p`
    case 'quote':
      return `${number}$`
    case 'asset':
      return `${number} ${coin}`
    case 'ent':
      return `e${number}`
    case 'off':
      return number
    default:
      return value
  }
}

const pieces = [
  ...'{}[]",:\\ \n019.-',
  ...[
    '{{',
    'null',
    'true',
    '"bot"',
    '"commands"',
    '"type":',
    '"market"',
    '\\u00',
    '\\"',
    '\u200b',
    '😀',
    '\ud800',
  ],
]
const valid = [
  inBlock({ type: 'market', side: 'buy', amount: '1' }, { type: 'oco', legs: [{ type: 'limit' }] }),
  '{"message": "MyBot(BTCUSDT) { market(buy, 1) }", "id": 5}',
]

test('any JSON, valid or nearly so, is answered, and every reported place lies in the text', () => {
  const change = fc.record({ at: fc.nat(120), length: fc.nat(6), by: fc.constantFrom('', ...pieces) })
  const mutated = fc
    .tuple(fc.constantFrom(...valid), fc.array(change, { maxLength: 4 }))
    .map(([json, changes]) =>
      changes.reduce((text, { at, length, by }) => text.slice(0, at) + by + text.slice(at + length), json),
    )
  const any = fc.oneof(
    mutated,
    fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => `{"${parts.join('')}`),
  )
  fc.assert(
    fc.property(any, (json) => {
      const { blocks, diagnostics } = read(json)
      const errors = diagnostics.filter(isError)
      expect(errors.length > 0).toBe(blocks.length === 0)
      const spans = [
        ...blocks.map(({ span }) => span),
        ...diagnostics.flatMap(({ span, fix }) => (fix ? [span, fix.span] : [span])),
      ]
      expect(
        spans.filter(({ offset, length }) => offset < 0 || length < 0 || offset + length > json.length),
      ).toEqual([])
    }),
    { numRuns: 3000 },
  )
})
