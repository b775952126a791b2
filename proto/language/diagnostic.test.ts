import { describe, expect, test } from '@jest/globals'
import { diagnosticCodes } from '../error-code.ts'
import type { Diagnostic } from './diagnostic.ts'
import type { KnownBot } from './label.ts'
import { readMessage } from './read-message.ts'

const bots: KnownBot[] = [
  { label: 'MyBot', market: 'futures' },
  { label: 'My Long Bot', market: 'futures' },
  { label: 'Spot1', market: 'spot' },
]

function read(message: string): Diagnostic[] {
  return readMessage(message, bots).diagnostics
}

/** A block whose body this is. */
function inBlock(body: string): string {
  return `MyBot(BTCUSDT) { ${body} }`
}

const refused: [code: string, message: string, quoted: string][] = [
  ['E101', 'Price is up 5% {!} today', 'Price is up 5% {!} today'],
  ['E101', 'MyBot(BTCUSDT) market(buy, 1)', 'MyBot(BTCUSDT)'],
  ['E101', 'MyBot(BTCUSDT) {{ market(buy, 1) }}', 'MyBot(BTCUSDT)'],
  ['E102', 'MyBot(BTCUSDT) { market(buy, 1)', '{'],
  ['E102', 'MyBot(BTCUSDT) { market(buy, 1) # done }', '{'],
  ['E102', 'MyBot(BTCUSDT) { balance; Spot1(ETHUSDT) { balance }', '{'],
  ['E103', '{ market(buy, 1) }', '{'],
  ['E103', 'MyBot { market(buy, 1) }', '{'],
  ['E103', 'MyBot(BTCUSDT) { balance } } market(buy, 1) }', 'market'],
  ['E104', 'MyBot(BTCUSDT) { ; # nothing\n }', '{ ; # nothing\n }'],
  ['E105', inBlock('buy 1 BTC now'), 'buy'],
  ['E105', inBlock('market buy 1'), 'market'],
  ['E105', inBlock('= 5'), '='],
  ['E106', inBlock('market(buy, 1; balance'), 'market('],
  ['E106', inBlock('market(buy, 1\n balance'), 'market('],
  ['E106', inBlock('market(buy, 1\n tag=x)'), 'market('],
  ['E106', inBlock('market(side=buy\n amount=1)'), 'market('],
  ['E107', inBlock('market("buy, 1)'), '"buy'],
  ['E108', 'MyBot({{ticker}}) { balance }', '{{ticker}}'],
  ['E108', '{{bot}}(BTCUSDT) { balance }', '{{bot}}'],
  ['E108', inBlock('market(buy, {{strategy.order.contracts}})'), '{{strategy.order.contracts}}'],
  ['E108', inBlock('market(buy, "1{{x}}")'), '{{x}}'],
  ['E108', inBlock('market{{x}}(buy, 1)'), '{{x}}'],
  ['E108', inBlock('{{strategy.order.comment}}'), '{{strategy.order.comment}}'],
  ['E108', '@id {{strategy.order.id}}\nMyBot(BTCUSDT) { balance }', '{{strategy.order.id}}'],
  ['E109', 'MyBot(BTCUSDT) { balance }\n'.repeat(21), '{'],
  ['E109', inBlock('balance;'.repeat(51)), 'balance'],
  ['E109', inBlock(`oco { ${'limit(buy, 1, 2);'.repeat(11)} }`), 'limit'],
  ['E109', `@id ${'x'.repeat(65)}\nMyBot(BTCUSDT) { balance }`, 'x'.repeat(65)],
  ['E109', inBlock(`market(buy, 1${', background=1'.repeat(39)}) balance`), 'background'],
  ['E109', inBlock(`type=market, side=buy, amount=1${', background=1'.repeat(38)}`), '='],
  ['E110', inBlock('market(buy,, 1)'), ','],
  ['E110', inBlock('market(side: buy, amount=1)'), 'side: buy'],
  ['E110', inBlock('market(side=, amount=1)'), 'side'],
  ['E110', inBlock('market(buy, "")'), '""'],
  ['E110', inBlock('type: market'), 'type: market'],
  ['E111', inBlock('market(buy, 1) { balance }'), 'market'],
  ['E105', 'MyBot(BTCUSDT) { balance; { foo', '{'],
  ['E111', inBlock('market { buy }'), 'market'],
  ['E111', inBlock('market {buy, 0.01}; balance'), 'market'],
  ['E110', inBlock('market(buy: 1)'), 'buy: 1'],
  ['E110', inBlock('market(amout: 1)'), 'amout: 1'],
  ['E105', inBlock('oneCancelsOther()() { limit(buy, 1, 2); limit(buy, 1, 3) }'), '('],
  ['E106', inBlock('oneCancelsOther(limit(buy, 1, 2); limit(buy, 1, 3))'), 'oneCancelsOther('],
  ['E106', inBlock('oneCancelsOther( { limit(buy, 1, 2); limit(buy, 1, 3) }'), 'oneCancelsOther('],
  [
    'E111',
    inBlock('oneCancelsOther() { oneCancelsOther() { limit(buy, 1, 2); limit(buy, 1, 3) } }'),
    'oneCancelsOther',
  ],
  ['E102', inBlock('oneCancelsOther() { limit(buy, 1, 2); limit(buy, 1, 3); balance'), '{'],
  ['E111', inBlock('type=market, side=buy, amount=1 { balance }'), 'market'],
  ['E111', inBlock('oco { limit(buy, 1, 2); limit(buy, 1, 3); oco { } }'), 'oco'],
  ['E201', 'Typo(BTCUSDT) { balance }', 'Typo'],
  ['E201', '"Typo"(BTCUSDT) { balance }', 'Typo'],
  ['E202', inBlock('markt(buy, 1)'), 'markt'],
  ['E202', inBlock('type=markt, side=buy'), 'markt'],
  ['E203', inBlock('trailingStop(side=sell)'), 'trailingStop'],
  ['E203', inBlock('icebergOrder(sell)'), 'icebergOrder'],
  ['E204', inBlock('stop(if=positionLong)'), 'if=positionLong'],
  ['E204', inBlock('continue(if=positionLong)'), 'continue'],
  ['E204', inBlock('if(positionLong) { market(buy, 1) }'), 'if'],
  ['E204', inBlock('if positionLong market(buy, 1)'), 'if'],
  ['E205', inBlock('market(buy, amout=1)'), 'amout'],
  ['E205', inBlock('market(buy, 1, triggerPrice=5)'), 'triggerPrice'],
  ['E206', inBlock('limit(sell, 100%, 62,000)'), '000'],
  ['E206', inBlock('oco(reduce) { limit(buy, 1, 2); limit(buy, 1, 3) }'), 'reduce'],
  ['E207', inBlock('market(buy, 1, side=sell)'), 'side=sell'],
  ['E207', inBlock('type=market, type=limit, side=buy, amount=1'), 'type=limit'],
  ['E208', inBlock('market(amount=1%)'), 'market'],
  ['E208', inBlock('cancel(tagged)'), 'cancel'],
  ['E208', inBlock('side=buy, amount=1'), 'side'],
  ['E209', inBlock('limit(buy, 1, 60000, offset=1%)'), 'offset=1%'],
  ['E209', inBlock('stop(buy, 1, 5, limitPrice=5, limitOffset=1)'), 'limitOffset=1'],
  ['E209', inBlock('limit(buy, 1, 5, tif=ioc, postOnly=1)'), 'tif=ioc'],
  ['E209', inBlock('cancel(buy, tag=x)'), 'tag=x'],
  ['E210', inBlock('oco { limit(buy, 1, 2) }'), 'oco'],
  ['E211', inBlock('oco { limit(buy, 1, 2); market(buy, 1) }'), 'market'],
  ['E206', inBlock('limit(buy, 1,000, 58000)'), '000'],
  ['E212', inBlock('oco(tag=x)'), 'oco'],
  ['E212', inBlock('oco(limit(sell, 1, 5), stop(sell, 1, 4))'), 'oco'],
  ['E213', inBlock('market(side=buy, 1)'), '1'],
  ['E301', inBlock('market(up, 1)'), 'up'],
  ['E302', inBlock('market(buy, NaN)'), 'NaN'],
  ['E302', inBlock('limit(buy, 1, na)'), 'na'],
  ['E303', inBlock('market(buy, 2x)'), '2x'],
  ['E304', inBlock('market(buy, -5)'), '-5'],
  ['E305', inBlock('limit(sell, 1, sixty)'), 'sixty'],
  ['E306', inBlock('limit(buy, 1, offset=-1%)'), '-1%'],
  ['E307', inBlock('market(buy, 1, reduceOnly=maybe)'), 'maybe'],
  ['E308', inBlock('limit(buy, 1, 2, tif=day)'), 'day'],
  ['E309', inBlock('wait(soon)'), 'soon'],
  ['E309', inBlock('wait(25h)'), '25h'],
  ['E310', inBlock('exchangeSettings(leverage=500)'), '500'],
  ['E311', 'MyBot(BTC USDT) { balance() }', 'BTC USDT'],
  ['E311', 'MyBot(BTCUSDT, ETHUSDT) { balance }', 'BTCUSDT, ETHUSDT'],
  ['E311', 'MyBot("BTCUSDT") { cancel; balance }', '"BTCUSDT"'],
  ['E312', inBlock('market(buy, 1, tag=#1)'), '#1'],
  ['E312', inBlock('cancel(order=#1)'), '#1'],
  ['E209', inBlock('cancel(buy, order=1)'), 'order=1'],
  ['E209', inBlock('cancel(tag=a, order=1)'), 'order=1'],
  ['E403', 'Spot1(BTCUSDT.P) { balance }', 'BTCUSDT.P'],
  ['E404', 'Spot1(BTCUSDT) { market(sell, 1, reduceOnly=yes) }', 'yes'],
]

test.each(refused)('%s is reported, alone, of %j at %j', (code, message, quoted) => {
  const { blocks, diagnostics } = readMessage(message, bots)
  const reported = diagnostics.map(({ code, span }) => [code, textAt(message, span)])
  expect({ blocks, reported }).toEqual({ blocks: [], reported: [[code, quoted]] })
})

test('every code of syntax, names and values is reached', () => {
  const reached = new Set(refused.map(([code]) => code))
  const known = Object.keys(diagnosticCodes).filter((code) => /^E[123]/.test(code))
  expect(known.filter((code) => !reached.has(code))).toEqual([])
})

test('a message over the limit is not read', () => {
  const [diagnostic] = read(' '.repeat(65_536) + inBlock('balance'))
  expect(diagnostic?.code).toBe('E109')
})

test('the limit of a message counts bytes', () => {
  const block = `\n${inBlock('balance')}`.padEnd(36)
  const fits = 'é'.repeat((65_536 - block.length) / 2)
  expect(readMessage(`${fits}${block}`, bots).blocks).toHaveLength(1)
  expect(read(`${fits}é${block}`)).toMatchObject([{ code: 'E109', span: { length: 2 } }])
})

test('braces in one another have a limit of their own', () => {
  const codes = read(inBlock('oco { oco { oco { oco { balance } } } }')).map(({ code }) => code)
  expect(codes).toEqual(['E111', 'E109'])
})

describe('a diagnostic', () => {
  test('says everything in one line', () => {
    expect(read(inBlock('market(buy, amout=1)'))[0]?.message).toBe(
      'E205 unknown parameter "amout" for market (line 1, column 30). Did you mean "amount"? market takes: side, amount, position, reduceOnly, positionSide, tag.',
    )
  })

  test('counts lines and columns whatever ends a line', () => {
    const [diagnostic] = read('One\rtwo\r\nMyBot(BTCUSDT)\n{\r\n  markt(buy, 1)\r\n}')
    expect(diagnostic).toMatchObject({ line: 5, column: 3, cause: 'unknown command "markt"' })
  })

  test('shows the line with a caret under the place, also behind tabs', () => {
    const [diagnostic] = read('MyBot(BTCUSDT) {\n\tmarket(buy, up)\n}')
    expect(diagnostic?.excerpt).toBe('\tmarket(buy, up)\n\t            ^^')
  })

  test('shows a part of a long line', () => {
    const [diagnostic] = read(`${'x'.repeat(5000)} MyBot(BTCUSDT) { markt(buy, 1) } ${'x'.repeat(5000)}`)
    const [source = '', carets = ''] = diagnostic?.excerpt.split('\n') ?? []
    expect(source.length).toBeLessThanOrEqual(100)
    expect(source.slice(carets.indexOf('^'), carets.length)).toBe('markt')
  })

  test.each([
    [inBlock('markt(buy, 1)'), inBlock('market(buy, 1)')],
    [inBlock('market buy 1'), inBlock('market(buy, 1)')],
    [inBlock('market buy, 1'), inBlock('market(buy, 1)')],
    [inBlock('market: buy 1'), inBlock('market(buy, 1)')],
    [inBlock('market(by, 1)'), inBlock('market(buy, 1)')],
    [inBlock('market(side=buy\n amount=1)'), inBlock('market(side=buy,\n amount=1)')],
    [inBlock('limit(buy, 0,5, 58000)'), inBlock('limit(buy, 0.5, 58000)')],
    [inBlock('limit(buy, 1,000, 58000)'), inBlock('limit(buy, 1000, 58000)')],
    [inBlock('limit(buy, 1, 5, postOnly)'), inBlock('limit(buy, 1, 5, postOnly=true)')],
    [inBlock('limit(buy, 1, 5, ro=ture)'), inBlock('limit(buy, 1, 5, ro=true)')],
    [inBlock('market(buy: 1)'), inBlock('market(buy, 1)')],
    [inBlock('market(side: buy, amount=1)'), inBlock('market(side=buy, amount=1)')],
    [inBlock('limit(sell, 1, 62,000)'), inBlock('limit(sell, 1, 62000)')],
    [inBlock('market(buy, 0,01)'), inBlock('market(buy, 0.01)')],
    [inBlock('market(buy, 2x)'), inBlock('market(buy, 200%)')],
    ['MyBot(BTCUSDT) { market(buy, 1)', 'MyBot(BTCUSDT) { market(buy, 1) }'],
    ['MyBot(BTCUSDT) { balance # done }', 'MyBot(BTCUSDT) { balance } # done }'],
    [
      'MyBot(BTCUSDT) { balance; Spot1(ETHUSDT) { balance }',
      'MyBot(BTCUSDT) { balance }; Spot1(ETHUSDT) { balance }',
    ],
    [inBlock('market(buy, 1; balance'), inBlock('market(buy, 1); balance')],
    [inBlock('market(buy, 1\n balance'), inBlock('market(buy, 1)\n balance')],
    [inBlock('market("buy, 1)'), inBlock('market("buy", 1)')],
    [inBlock("market(buy, '1)"), inBlock("market(buy, '1')")],
    [inBlock('market(buy,, 1)'), inBlock('market(buy, 1)')],
    ['Spot1(BTC/USDT:USDT) { balance }', 'Spot1(BTCUSDT) { balance }'],
    ['my Lng Bot(BTCUSDT) { balance }', 'My Long Bot(BTCUSDT) { balance }'],
    ['\u200bMyBt(BTCUSDT) { bal\u200bance }', '\u200bMyBot(BTCUSDT) { bal\u200bance }'],
  ])('offers for %j the fix %j, which reads', (message, mended) => {
    const [{ fix } = {}, ...more] = read(message)
    const { span, text } = fix ?? { span: { offset: 0, length: 0 }, text: '' }
    const fixed = message.slice(0, span.offset) + text + message.slice(span.offset + span.length)
    expect({ fixed, more, left: read(fixed) }).toEqual({ fixed: mended, more: [], left: [] })
  })

  test('names the bots of the user where the one named is unknown', () => {
    expect(read('Typo(BTCUSDT) { balance }')[0]?.expected).toContain('MyBot, My Long Bot, Spot1')
  })

  test('suggests nothing where nothing is near', () => {
    expect(read(inBlock('market(up, 1)'))[0]?.suggestion).toBeUndefined()
  })
})

describe('one mistake does not hide the next', () => {
  test.each([
    ['market(buy, 1; markt(sell, 1)\n limit(buy, 1, x', ['E106', 'E202', 'E106']],
    ['buy now, please; market(up, 1); limit(buy, {{x}}, y)', ['E105', 'E301', 'E108', 'E305']],
    ['market(buy; 1); 5; markt(buy, 1)', ['E106', 'E202']],
    ['balance; 5; market(up, 1)', ['E105', 'E301']],
    ['market(buy, abc, amout=1, tag=!)', ['E302', 'E205', 'E312']],
    ['oco { limit(buy, 1, 0); stop(sel, 1, 5); market() }', ['E305', 'E301', 'E211']],
  ])('%s', (body, codes) => {
    expect(read(inBlock(body)).map(({ code }) => code)).toEqual(codes)
  })

  test('of more than twenty the first twenty are reported', () => {
    const codes = read(inBlock('x1(y); '.repeat(40))).map(({ code }) => code)
    expect(codes).toEqual(Array.from({ length: 20 }, () => 'E202'))
  })

  test('a warning never stands in the place of an error', () => {
    const warned = 'market(buy, 1, position=0); '.repeat(30)
    expect(read(inBlock(`${warned} x1(y)`)).map(({ code }) => code)).toContain('E202')
  })
})

describe('warnings and notes leave the message to run', () => {
  test.each([
    ['W701', inBlock('market(buy, 1, position=0)'), 1],
    ['W702', inBlock('oco { limit(sell, 50%, 6); stop(sell, 100%, 5) }'), 1],
    ['N801', `# MyBot(BTCUSDT) { balance }\n${inBlock('balance')}`, 1],
    ['N801', '/* MyBot(BTCUSDT) { balance } */', 0],
    ['N801', '// MyBot(BTCUSDT) {\n//  balance\n// }', 0],
    ['N801', '# MyBot(BTCUSDT)\n{\n  balance\n}', 0],
  ])('%s of %j', (code, message, count) => {
    const { blocks, diagnostics } = readMessage(message, bots)
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code])
    expect(blocks).toHaveLength(count)
  })

  test('commands that a target position makes superfluous are named', () => {
    expect(read(inBlock('market(buy, 1, position=0)'))[0]?.cause).toBe('"side" and "amount" are ignored')
    expect(read(inBlock('market(side=buy, position=0)'))[0]?.cause).toBe('"side" is ignored')
  })

  test('legs may differ where the larger one keeps its rest', () => {
    expect(read(inBlock('oco(mode=reduce) { limit(sell, 50%, 6); stop(sell, 100%, 5) }'))).toEqual([])
  })
})

function textAt(message: string, { offset, length }: { offset: number; length: number }): string {
  return message.slice(offset, offset + length)
}
