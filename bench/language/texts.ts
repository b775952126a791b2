import type { KnownBot } from '@tripline/proto/language/label'

export const bots: readonly KnownBot[] = [
  { label: 'MyBot', market: 'futures' },
  { label: 'My Long Bot', market: 'futures' },
  { label: 'Spot1', market: 'spot' },
]

/** The form of most alerts: an entry with its exits. */
export const typicalAlert =
  'MyBot(BTCUSDT) { market(buy, 100%); oco { stop(sell, 100%, 58000); limit(sell, 100%, 62000) } }'

/** As many commands as a message of this length may have, and text around them. */
export function fullMessage(length: number): string {
  const command = 'limit(side=buy, amount=0.01, price=58000, postOnly=yes, tag=abc)\n'
  const block = `MyBot(BTCUSDT) {\n${command.repeat(48)}}\n`
  return fitted(block.repeat(20), length)
}

// Texts before the repeated piece, so that it is read as text around blocks, as a body, as arguments.
const openings = [
  ...[
    '',
    'MyBot(BTCUSDT) { ',
    'MyBot(BTCUSDT) { market(',
    'MyBot(BTCUSDT) { market(buy, ',
    '# MyBot(BTCUSDT) {',
  ],
  ...['MyBot(BTCUSDT) { oco { ', 'MyBot(BTCUSDT) { type=limit, ', 'MyBot(', '"', '@id ', '{{', '/* '],
]
const pieces = [
  ...'a1(){},;=\'"#/*@$%- \n\u200b\u00a0–:.',
  ...[
    '{{',
    '}}',
    '(a)',
    '(a) ',
    '(a)#',
    '(a) # ',
    '(a)\n# ',
    '(a)/*',
    '/* ',
    '# (a) {\n',
    '*/',
    "'a ",
    '\r\n',
  ],
  ...[
    'MyBot(BTCUSDT) {',
    'MyBot(BTCUSDT) { balance }',
    'a=,',
    'a,',
    'market(',
    'market(buy, ',
    'oco{',
    'oco {}',
  ],
  ...[
    'a (b) {',
    'a b c d e f g h ',
    '} market(',
    '=(',
    '{ market',
    '{(',
    '({{',
    ') \n',
    'a(bb) {',
    'a:b ',
    '\n@id a',
  ],
  ...[
    'market(buy, 1) ',
    'limit(buy, 1, 5) # x\n',
    'balance;',
    'xyzzy(1);',
    'tag=a, ',
    '"a", ',
    '1e9',
    '-–-',
    '😀',
  ],
  ...[
    '// (a)\n{',
    '\n// a(b)\n',
    '( ',
    '(a',
    'My Long Bot',
    'My Long ',
    'a\n',
    'type=',
    'type=market\n',
    '{}',
    '}{',
  ],
  ...[
    'market(buy, 1, position=0);',
    'market(buy, 1\n',
    'cancel\n',
    '@sent 1\n',
    '# MyBot(BTCUSDT) { balance }\n',
  ],
]

/** A text of any length that may be hard to read. */
export interface HardText {
  name: string
  ofLength(length: number): string
}

/** Texts that repeat a piece behind an opening: where reading is not linear, one of them shows it. */
export const hardTexts: readonly HardText[] = [
  { name: 'commands throughout', ofLength: fullMessage },
  ...openings.flatMap((opening) => pieces.map((piece) => repeating(opening, piece))),
]

function repeating(opening: string, piece: string): HardText {
  return {
    name: JSON.stringify(`${opening}${piece}${piece}...`),
    ofLength: (length) => fitted(opening + piece.repeat(Math.ceil(length / piece.length)), length),
  }
}

// The limit counts bytes, so a text of other letters is shorter.
function fitted(text: string, bytes: number): string {
  const padded = text.padEnd(bytes, ' and so on')
  return Buffer.from(padded)
    .subarray(0, bytes)
    .toString()
    .replace(/\ufffd$/, '')
}
