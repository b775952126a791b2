import { placeholderEnd } from './character.ts'
import { commandNamed, parameterNamed } from './command-table.ts'
import type { Token } from './lexer.ts'
import { isFull, type Range } from './problem.ts'
import type { ArgumentSyntax, ValueSyntax, Word } from './syntax.ts'
import {
  colonAsCommaFault,
  colonFault,
  emptyArgumentFault,
  limitFault,
  missingCommaFault,
  missingValueFault,
  unclosedCallFault,
  unclosedQuoteFault,
} from './syntax-fault.ts'
import {
  endsStatement,
  isIdentifier,
  kindAhead,
  report,
  skipStatement,
  type TokenReader,
  take,
  wordAt,
} from './token-reader.ts'

/** The arguments of one command; broken where a syntax error leaves open what was meant. */
export interface ArgumentList {
  args: ArgumentSyntax[]
  /** Behind the last token that belongs to it. */
  end: number
  isBroken: boolean
}

// No command has as many parameters; the bound keeps hostile lists small.
const argumentLimit = 40

/** Reads from `(` to `)`, or to the break of the list; of its faults the first is reported. */
export function parseArguments(reader: TokenReader, command: Word): ArgumentList {
  const { errors } = reader.problems
  const errorsBefore = errors.length
  const list = readArguments(reader, command)
  errors.splice(errorsBefore + 1)
  return list
}

function readArguments(reader: TokenReader, command: Word): ArgumentList {
  const open = take(reader)
  const list: ArgumentList = { args: [], end: open.end, isBroken: false }
  while (kindAhead(reader) !== ')') {
    if (endsStatement(reader.token) || isFull(reader.problems)) return breakOff(reader, list, command, open)
    if (list.args.length === argumentLimit) return skipSurplus(reader, list)
    if (kindAhead(reader) === ',') {
      list.args.push(emptyArgument(reader))
      list.isBroken = true
      take(reader)
      continue
    }
    const { end } = appendArgument(reader, list, command)
    if (kindAhead(reader) === ',') take(reader)
    else if (lacksComma(reader)) reportMissingComma(reader, command, open, end)
    else if (kindAhead(reader) !== ')') return breakOff(reader, list, command, open)
  }
  return { ...list, end: take(reader).end }
}

/** Reads `key=value, key=value` to the end of the statement; the first key is taken already. */
export function parsePairs(reader: TokenReader, firstKey: Word): ArgumentSyntax[] {
  const pairs = [parsePair(reader, firstKey)]
  let hasType = isTypeKey(firstKey)
  while (kindAhead(reader) === ',' && !isFull(reader.problems)) {
    const key = takeKeyAfterComma(reader, hasType)
    if (key === undefined) break
    hasType ||= isTypeKey(key)
    if (pairs.length < argumentLimit) pairs.push(parsePair(reader, key))
    else return skipPairs(reader, pairs)
  }
  return pairs
}

function skipPairs(reader: TokenReader, pairs: ArgumentSyntax[]): ArgumentSyntax[] {
  report(reader, reader.token, limitFault(`${argumentLimit} values in a command`))
  skipStatement(reader)
  return pairs
}

function skipSurplus(reader: TokenReader, list: ArgumentList): ArgumentList {
  report(reader, reader.token, limitFault(`${argumentLimit} values in a command`))
  let depth = 0
  while (!endsStatement(reader.token) && (depth > 0 || kindAhead(reader) !== ')')) {
    const { kind } = take(reader)
    if (kind === '(') depth++
    if (kind === ')') depth--
  }
  const end = kindAhead(reader) === ')' ? take(reader).end : reader.token.start
  return { ...list, end, isBroken: true }
}

/** The key and value of `key: value`, which is how other formats write `key=value`. */
export function readColonPair(word: Word): { key: Word; value: Word } | undefined {
  if (!word.text.includes(':')) return undefined
  const match = /^["']?([A-Za-z_]\w*)["']?\s*:\s*["']?(.*?)["']?$/s.exec(word.text)
  const [, key, value] = match ?? []
  if (key === undefined || value === undefined) return undefined
  const keyStart = word.start + word.text.indexOf(key)
  const valueStart = word.start + word.text.lastIndexOf(value)
  return {
    key: { text: key, start: keyStart, end: keyStart + key.length },
    value: { text: value, start: valueStart, end: valueStart + value.length },
  }
}

function emptyArgument(reader: TokenReader): ArgumentSyntax {
  const { start, end } = reader.token
  report(reader, reader.token, emptyArgumentFault(reader.token))
  return { name: undefined, value: undefined, start, end }
}

function appendArgument(reader: TokenReader, list: ArgumentList, command: Word): ArgumentSyntax {
  const argument = parseArgument(reader, command)
  list.args.push(argument)
  return argument
}

/** Whether a parameter begins the next line, so that a comma is missing rather than a parenthesis. */
function lacksComma(reader: TokenReader): boolean {
  const { kind, newlineBefore } = reader.token
  if (kind !== 'text' || !newlineBefore || !isFollowedByEquals(reader)) return false
  const { text } = wordAt(reader, reader.token)
  return isIdentifier(text) && text.toLowerCase() !== 'type'
}

function reportMissingComma(reader: TokenReader, command: Word, open: Range, end: number): void {
  report(reader, { start: command.start, end: open.end }, missingCommaFault(command.text, end))
}

function breakOff(reader: TokenReader, list: ArgumentList, command: Word, open: Token): ArgumentList {
  const end = list.args.at(-1)?.end ?? open.end
  reader.owedParentheses++
  if (kindAhead(reader) === '{') reader.isUnclosed = true
  if (!isCommentedOut(reader))
    report(reader, { start: command.start, end: open.end }, unclosedCallFault(command.text, end))
  // A list that breaks off may have swallowed the text after it with its last value.
  const last = list.args.at(-1)
  if (last !== undefined) last.value = undefined
  return { ...list, end, isBroken: true }
}

/** True if a comment took the parenthesis and the brace of the block with it, and is reported with that. */
function isCommentedOut(reader: TokenReader): boolean {
  const { swallowing } = reader.lexer
  const isAtEnd = reader.token.kind === 'end'
  return isAtEnd && swallowing !== undefined && wordAt(reader, swallowing).text.includes(')')
}

function parseArgument(reader: TokenReader, command: Word): ArgumentSyntax {
  const name = takeName(reader)
  if (name === undefined) return parsePositional(reader, command)
  take(reader)
  if (isValueMissing(reader.token)) return argumentWithoutValue(reader, name)
  return namedArgument(name, parseValue(reader))
}

function parsePair(reader: TokenReader, key: Word): ArgumentSyntax {
  take(reader)
  if (reader.token.newlineBefore || isValueMissing(reader.token)) return argumentWithoutValue(reader, key)
  return namedArgument(key, parseValue(reader))
}

function namedArgument(name: Word, { value, end }: ParsedValue): ArgumentSyntax {
  return { name, value, start: name.start, end }
}

function argumentWithoutValue(reader: TokenReader, name: Word): ArgumentSyntax {
  report(reader, name, missingValueFault(name.text))
  return { name, value: undefined, start: name.start, end: name.end }
}

function parsePositional(reader: TokenReader, command: Word): ArgumentSyntax {
  const { value, start, end } = parseValue(reader)
  const pair = value && readColonPair(wordAt(reader, { start, end }))
  if (!pair) return { name: undefined, value, start, end }
  const { key, value: behind } = pair
  const isValue = isSide(key.text) && !isParameter(command, key)
  report(reader, { start, end }, (isValue ? colonAsCommaFault : colonFault)(key.text, behind.text))
  return { name: pair.key, value: { ...pair.value, placeholder: undefined }, start, end }
}

/** Whether the command takes a parameter of this name; any is one where the command is not known. */
function isParameter({ text }: Word, name: Word): boolean {
  const spec = commandNamed(text)
  return spec === undefined || parameterNamed(spec, name.text) !== undefined
}

function isSide(text: string): boolean {
  return /^(?:buy|sell|long|short)$/i.test(text)
}

function takeName(reader: TokenReader): Word | undefined {
  if (kindAhead(reader) !== 'text' || !isFollowedByEquals(reader)) return undefined
  const name = wordAt(reader, reader.token)
  if (!isIdentifier(name.text)) return undefined
  take(reader)
  return name
}

/** The key behind a comma; a second `type` that begins a line begins a command instead. */
function takeKeyAfterComma(reader: TokenReader, hasType: boolean): Word | undefined {
  const { token, lexer } = reader
  const { at } = lexer
  take(reader)
  const { newlineBefore } = reader.token
  const key = takeName(reader)
  if (key === undefined || (hasType && newlineBefore && isTypeKey(key))) {
    reader.token = token
    lexer.at = at
    return undefined
  }
  return key
}

/** Whether the argument is the `type=` of pairs. */
export function isType({ name }: ArgumentSyntax): boolean {
  return name !== undefined && isTypeKey(name)
}

function isTypeKey({ text }: Word): boolean {
  return text.toLowerCase() === 'type'
}

/** Whether a "=" is behind the text that is the next token. */
function isFollowedByEquals(reader: TokenReader): boolean {
  const { token, lexer } = reader
  const { at } = lexer
  // The mark that ends the text stands right here, unless a line end or a comment is between them.
  const character = lexer.text.charAt(at)
  if (character === '=') return true
  if (character === ',' || character === ')') return false
  take(reader)
  const isNext = kindAhead(reader) === '='
  reader.token = token
  lexer.at = at
  return isNext
}

function isValueMissing(token: Token): boolean {
  return token.kind === ',' || token.kind === ')' || token.kind === '{' || endsStatement(token)
}

interface ParsedValue extends Range {
  /** Undefined where it holds an open quote. */
  value: ValueSyntax | undefined
}

/** Reads one value; what wrongly stands beside it on its line belongs to it, to be quoted where it is judged. */
function parseValue(reader: TokenReader): ParsedValue {
  const first = take(reader)
  let isOpenQuote = reportOpenQuote(reader, first)
  let depth = first.kind === '(' ? 1 : 0
  let last = first
  while (!reader.token.newlineBefore && continuesValue(reader.token, depth)) {
    last = take(reader)
    if (last.kind === '(') depth++
    if (last.kind === ')') depth--
    isOpenQuote = reportOpenQuote(reader, last) || isOpenQuote
  }
  const range = { start: first.start, end: last.end }
  return { ...range, value: isOpenQuote ? undefined : readValue(reader, range, first === last && first.kind) }
}

function continuesValue(token: Token, depth: number): boolean {
  if (endsStatement(token) || token.kind === '{') return false
  return depth > 0 || (token.kind !== ',' && token.kind !== ')')
}

function reportOpenQuote(reader: TokenReader, token: Token): boolean {
  if (token.kind !== 'unclosed') return false
  const { text, end } = wordAt(reader, token)
  report(reader, token, { ...unclosedQuoteFault(text), mend: { text: text.charAt(0), start: end, end } })
  return true
}

function readValue(reader: TokenReader, range: Range, kind: Token['kind'] | false): ValueSyntax {
  const written = wordAt(reader, range)
  const inner = kind === 'quoted' ? written.text.slice(1, -1).trim() : written.text
  return { ...written, text: inner, placeholder: placeholderIn(written) }
}

function placeholderIn({ text, start, end }: Word): Range | undefined {
  const open = text.indexOf('{{')
  if (open < 0) return undefined
  const close = placeholderEnd(text, open)
  return { start: start + open, end: close === undefined ? end : start + close }
}
