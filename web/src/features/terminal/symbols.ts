import { parseMessage } from '@tripline/proto/language/parser'
import { noProblems } from '@tripline/proto/language/problem'
import { usualSymbols } from './usual-symbols.ts'

/** The symbols to offer: those of these messages, and the ones that are traded most. */
export function symbolsFor(messages: readonly string[]): string[] {
  const written = messages.flatMap((message) =>
    parseMessage(message, noProblems()).blocks.flatMap(({ header }) => (header ? [header.symbol.text] : [])),
  )
  return [...new Set([...written.filter((symbol) => symbol !== ''), ...usualSymbols])]
}
