import { completionsAt } from '@tripline/proto/language/complete'
import { readAlert } from '@tripline/proto/language/formats/read-alert'
import type { KnownBot } from '@tripline/proto/language/label'

/** The time that the editor's work on every letter takes with the longest messages, at its slowest. */
export interface LanguageFigures {
  checkMs: number
  completionMs: number
}

const longest = 65_536
const rounds = 20
const bots: readonly KnownBot[] = [{ label: 'MyBot', market: 'futures' }]
const symbols = ['BTCUSDT', 'ETHUSDT']

// Such as are right, such as are wrong everywhere, and such as are hardly read.
const pieces = [
  'MyBot(BTCUSDT) { market(buy, 0.01); balance }\n',
  'MyBot(BTCUSDT) { markte(buy, x); limit(side=bye, 0.01, prize=1%) }\n',
  'MyBot(BTCUSDT) { oco(0.01) { stop(50000) limit(70000) } }\n',
  '# MyBot(BTCUSDT) { market(buy, 0.01) }\n',
  'market(',
  '{',
  'x',
]
const messages = pieces.map((piece) => piece.repeat(Math.floor(longest / piece.length)))
messages.push(`MyBot(BTCUSDT) { ${'market(buy, 0.01); '.repeat(3400)}`)

/** Measures the language as the editor uses it. */
export function measureLanguage(): LanguageFigures {
  return {
    checkMs: slowest((message) => readAlert(message, 'tripline', bots)),
    completionMs: slowest((message) => completionsAt(message, message.length, bots, symbols)),
  }
}

/** The middle of some rounds with the message that takes longest. */
function slowest(act: (message: string) => unknown): number {
  return Math.max(...messages.map((message) => middleMs(() => act(message))))
}

function middleMs(act: () => unknown): number {
  const took = Array.from({ length: rounds }, () => {
    const startedAt = performance.now()
    act()
    return performance.now() - startedAt
  })
  return took.toSorted((one, other) => one - other)[rounds / 2] ?? 0
}
