import { placeholderEnd } from '../character.ts'
import { addProblem, type Problems } from '../problem.ts'
import { makeReadable } from '../readable-text.ts'
import type { ArgumentSyntax, CommandSyntax, HeaderSyntax, ValueSyntax, Word } from '../syntax.ts'
import { noScalarFault } from './format-fault.ts'
import type { JsonNode, JsonScalar } from './json.ts'

/** The header of a block whose bot and symbol stand apart from each other. */
export function headerOf(bot: Word, symbol: Word): HeaderSyntax {
  return { before: bot, quotedLabel: bot, symbol, start: bot.start, end: bot.end }
}

/** Returns the value of a JSON node of any kind; undefined, and a problem, if it is empty or holds others. */
export function readValue(name: string, node: JsonNode, problems: Problems): ValueSyntax | undefined {
  if ('text' in node && node.kind !== 'null') return scalarValue(node)
  addProblem(problems, node, noScalarFault(name, node.kind))
  return undefined
}

function scalarValue({ text, start, end }: JsonScalar): ValueSyntax {
  const plain = makeReadable(text).text
  const leading = plain.length - plain.trimStart().length
  const word = { text: plain.trim(), start: Math.min(start + leading, end), end }
  return { ...word, placeholder: placeholderIn(word) }
}

/** The first `{{...}}` of a word. */
export function placeholderIn({ text, start, end }: Word): { start: number; end: number } | undefined {
  const open = text.indexOf('{{')
  if (open < 0) return undefined
  const close = placeholderEnd(text, open) ?? text.length
  return { start: Math.min(start + open, end), end: Math.min(start + close, end) }
}

/** A command as if it had been written at the places of the words it is made of. */
export function commandOf(
  type: string,
  { start, end }: { start: number; end: number },
  values: Record<string, Word | undefined>,
): CommandSyntax {
  const args = Object.entries(values).flatMap(([name, word]) => (word ? [argumentOf(name, word)] : []))
  const name = { text: type, start, end }
  return { name, args, body: undefined, isBroken: false, strays: [], start, end }
}

function argumentOf(name: string, word: Word): ArgumentSyntax {
  const { start, end } = word
  return { name: { text: name, start, end }, value: { ...word, placeholder: undefined }, start, end }
}
