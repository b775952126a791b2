import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { openEnvelope } from '@tripline/proto/language/formats/envelope'
import { readAlert } from '@tripline/proto/language/formats/read-alert'
import type { KnownBot } from '@tripline/proto/language/label'
import fc from 'fast-check'
import { documentOffsets, documentText } from './document-offsets.ts'
import { shownAt } from './message-lint.ts'
import { isOnlyBegun, problemsOf, severityOf, withFix } from './problems.ts'

interface Vector {
  id: string
  in: string
}

const bots: KnownBot[] = [
  { label: 'MyBot', market: 'futures' },
  { label: 'ByBot', market: 'futures' },
  { label: 'My-Bot2', market: 'futures' },
  { label: 'Spot1', market: 'spot' },
]

const vectorFile = new URL('../../../../proto/language/vectors.jsonl', import.meta.url)
const vectors = readFileSync(vectorFile, 'utf8')
  .trim()
  .split('\n')
  .map((line): Vector => JSON.parse(line))

/** Returns the webhook's diagnostics of a message that the terminal posts. */
function reportedByServer(message: string) {
  const envelope = openEnvelope(JSON.stringify({ message }), 'tripline')
  return readAlert(envelope.message, envelope.format, bots).diagnostics
}

/** The text that an editor underlines for each problem, and the text that the problem is about. */
function underlined(message: string) {
  const shown = documentText(message)
  const offsets = documentOffsets(message)
  return problemsOf(message, bots).map((problem) => {
    const { from, to } = shownAt(problem, offsets)
    const { offset, length } = problem.span
    return [shown.slice(from, to), documentText(message.slice(offset, offset + length))] as const
  })
}

const written = vectors.filter((vector) => vector.in.trim() !== '')

describe('the editor', () => {
  test('shows the findings of the server for every vector, in the same places', () => {
    expect(written.length).toBeGreaterThan(40)
    for (const { in: message } of written)
      expect(problemsOf(message, bots)).toEqual(reportedByServer(message))
  })

  test('shows the findings of the server for any text', () => {
    const pieces = fc.constantFrom(
      'MyBot(BTCUSDT) {',
      '}',
      'market(',
      'buy',
      ', ',
      '1',
      ')',
      '\r\n',
      '"',
      '{"',
      ': ',
      '🚀',
    )
    const texts = fc.array(pieces, { maxLength: 20 }).map((list) => list.join(''))
    fc.assert(
      fc.property(fc.oneof(texts, fc.string({ unit: 'binary' })), (message) => {
        if (message.trim() !== '') expect(problemsOf(message, bots)).toEqual(reportedByServer(message))
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['as they are', (message: string) => message],
    ['with lines that end as on Windows', (message: string) => message.replaceAll('\n', '\r\n')],
    ['with lines that end as on an old Mac', (message: string) => message.replaceAll('\n', '\r')],
    ['behind letters of two units', (message: string) => `🚀𝔘\r\n${message}`],
  ])('underlines in every vector, %s, the text that the problem is about', (_, change) => {
    for (const { in: message } of written) {
      for (const [shown, meant] of underlined(change(message))) expect(shown).toBe(meant)
    }
  })

  test('calls no bot unknown while nobody knows the bots, but shows all the rest', () => {
    const codes = (message: string, known?: KnownBot[]) => problemsOf(message, known).map(({ code }) => code)
    expect(codes('Any(BTCUSDT) { balance }')).toEqual([])
    expect(codes('Any(BTCUSDT) { balnce() }')).toEqual(['E202'])
    expect(codes('Any(BTCUSDT) { balance }', [])).toEqual(['E201'])
  })

  test('has nothing to say of an empty message', () => {
    expect(problemsOf(' \n', bots)).toEqual([])
  })
})

test('a fix makes a message right, whatever its line ends', () => {
  const message = '🚀\r\nMyBot(BTCUSDT) {\r\n  markte(buy, 1)\r\n}'
  const [problem] = problemsOf(message, bots)
  expect(problem).toMatchObject({ code: 'E202', fix: { text: 'market' } })
  const fixed = problem?.fix ? withFix(message, problem.fix) : ''
  expect(fixed).toBe('🚀\r\nMyBot(BTCUSDT) {\r\n  market(buy, 1)\r\n}')
  expect(problemsOf(fixed, bots)).toEqual([])
})

test('errors, warnings and notes differ in how grave they are', () => {
  expect((['E101', 'W701', 'N801'] as const).map((code) => severityOf({ code }))).toEqual([
    'error',
    'warning',
    'info',
  ])
})

describe('the places of a message', () => {
  const texts = fc.array(fc.constantFrom('a', '\r', '\n', '\r\n', '🚀', '\u2028'), { maxLength: 40 })

  test('lead to the same text in the document and back', () => {
    fc.assert(
      fc.property(texts, fc.nat(), (pieces, seed) => {
        const message = pieces.join('')
        const shown = documentText(message)
        const { toDocument, toMessage } = documentOffsets(message)
        expect(toDocument(message.length)).toBe(shown.length)
        const position = seed % (shown.length + 1)
        expect(toDocument(toMessage(position))).toBe(position)
        expect(documentText(message.slice(0, toMessage(position)))).toBe(shown.slice(0, position))
      }),
    )
  })
})

test.each([
  ['a template', 'MyBot(BTCUSDT) {\n  \n}'],
  ['two templates', 'MyBot(BTCUSDT) {}\nSpot1(BTCUSDT) {}'],
])('%s is a message that is only begun', (_name, message) => {
  expect(isOnlyBegun(message, problemsOf(message, bots))).toBe(true)
})

test.each([
  ['a template beside a fault', 'MyBot(BTCUSDT) {}\nSpot1(BTCUSDT) { balnce }'],
  ['a block with a remark', 'MyBot(BTCUSDT) { # later\n }'],
  ['a message without a fault', 'MyBot(BTCUSDT) { balance }'],
])('%s is more than begun', (_name, message) => {
  expect(isOnlyBegun(message, problemsOf(message, bots))).toBe(false)
})
