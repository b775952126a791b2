import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { commandTable, parametersOf } from './command-table.ts'
import { isError } from './diagnostic.ts'
import { formatBlocks } from './format-blocks.ts'
import type { KnownBot } from './label.ts'
import { noteBlocks } from './notation.ts'
import { readMessage } from './read-message.ts'
import type { Span } from './tree.ts'

// biome-ignore lint/style/noProcessEnv: who runs this chooses its length and may repeat its seed.
const { TRIPLINE_LONG, TRIPLINE_SEED } = process.env
const count = TRIPLINE_LONG ? 1_000_000 : 10_000
const seed = Number(TRIPLINE_SEED ?? (TRIPLINE_LONG ? Date.now() % 1_000_000_007 : 280_384_110))

const bots: KnownBot[] = [
  { label: 'MyBot', market: 'futures' },
  { label: 'My Long Bot', market: 'futures' },
  { label: 'Spot1', market: 'spot' },
]

const valid = readFileSync(new URL('vectors.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): { in: string; ast?: unknown } => JSON.parse(line))
  .flatMap((vector) => (vector.ast ? [vector.in] : []))

const pieces = [
  ...commandTable.flatMap((spec) => [spec.type, ...spec.spellings, ...parametersOf(spec)]),
  ...bots.map(({ label }) => label),
  ...'(){},;=\'"#/*@$%- \n\r\t.:0123456789e',
  ...['{{', '}}', '/*', '*/', '//', '# ', '@id ', '@sent ', '(BTCUSDT)', '(BTCUSDT) {', '100%', '1e-8', '@5'],
  ...['buy', 'sell', 'NaN', 'type=', 'if=', 'market(', 'oco {', ') }', '{{close}}', 'side: buy', '62,000'],
  ...['\u200b', '\ufeff', '\u00a0', '\u2028', '–', '−', 'é', '😀', '\ud800', '\u0000', 'İ', 'ß'],
]

test('no text makes it throw, and each gives a tree that prints or an error that stands in the text', () => {
  const random = randomNumbers(seed)
  const tally = { read: 0, refused: 0, longest: 0 }
  for (let round = 0; round < count; round++) {
    const message = anyMessage(random)
    const complaint = complaintOf(message, tally)
    if (complaint !== undefined) expect({ seed, round, message, complaint }).toBeUndefined()
    tally.longest = Math.max(tally.longest, message.length)
  }
  process.stdout.write(`seed ${seed}: ${count} texts, ${JSON.stringify(tally)}\n`)
}, 3_600_000)

/** Returns the complaint about the reading of a message; undefined if there is none. */
function complaintOf(message: string, tally: { read: number; refused: number }): string | undefined {
  try {
    const { blocks, diagnostics } = readMessage(message, bots)
    const isRefused = diagnostics.some(isError)
    if (
      !diagnostics.every(({ span, fix }) => isWithin(span, message) && (!fix || isWithin(fix.span, message)))
    )
      return 'a diagnostic stands outside of the text'
    if (blocks.length + diagnostics.length === 0) return 'nothing was reported'
    if (isRefused && blocks.length > 0) return 'a refused message has blocks'
    if (isRefused) tally.refused++
    else tally.read++
    const again = readMessage(formatBlocks(blocks), bots)
    const isSame = JSON.stringify(noteBlocks(again.blocks)) === JSON.stringify(noteBlocks(blocks))
    return isSame ? undefined : 'its tree prints as another one'
  } catch (error) {
    return String(error)
  }
}

function isWithin({ offset, length }: Span, message: string): boolean {
  return offset >= 0 && length >= 0 && offset + length <= message.length
}

type Random = (below: number) => number

function anyMessage(random: Random): string {
  switch (random(4)) {
    case 0:
      return piled(random, 1 + random(60))
    case 1:
      return Array.from({ length: random(120) }, () =>
        String.fromCharCode(random(random(8) === 0 ? 65_536 : 128)),
      ).join('')
    default:
      return mutated(random)
  }
}

function piled(random: Random, length: number): string {
  return Array.from({ length }, () => picked(random, pieces)).join('')
}

/** A valid message with a few stretches cut out, doubled, moved or replaced. */
function mutated(random: Random): string {
  let text = picked(random, valid)
  for (let left = 1 + random(3); left > 0; left--) {
    const at = random(text.length + 1)
    const end = at + random(8)
    const from = random(text.length + 1)
    const by = [
      '',
      text.slice(at, end).repeat(2),
      text.slice(from, from + random(20)),
      piled(random, 1 + random(2)),
    ]
    text = text.slice(0, at) + picked(random, by) + text.slice(end)
  }
  return text
}

function picked(random: Random, list: readonly string[]): string {
  return list[random(list.length)] ?? ''
}

/** Whole numbers below what is asked, the same ones for the same seed (mulberry32). */
function randomNumbers(start: number): Random {
  let state = start
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}
