import { commentEnd, isBlank, isNewline, placeholderEnd, startsComment } from './character.ts'
import { commandNamed } from './command-table.ts'
import type { Range } from './problem.ts'
import type { HeaderSyntax, Word } from './syntax.ts'

/** The brace of a block; without a header where only the commands after it show what it is. */
export interface Opening {
  kind: 'opening'
  header: HeaderSyntax | undefined
  brace: Range
}

/** A finding between blocks: a block, or something that looks like one and must be reported. */
export type Finding =
  | Opening
  /** A command after a block, with a `}` after it that closes nothing. */
  | ({ kind: 'stray' } & Word)
  | ({ kind: 'commentedOut' } & Range)

/** Reads the text around blocks, which may be anything. */
export interface OutsideReader {
  readonly text: string
  at: number
  /** The end of the last block. */
  blockEnd: number
  /** The last `Name(SYMBOL)` that no `{` follows. */
  almostHeader: Range | undefined
  braces: Map<number, number> | undefined
}

/** A reader at the start of the text. */
export function readOutside(text: string): OutsideReader {
  return { text, at: 0, blockEnd: 0, almostHeader: undefined, braces: undefined }
}

/** Goes on after a block that ends here. */
export function resumeOutside(reader: OutsideReader, blockEnd: number): void {
  reader.at = blockEnd
  reader.blockEnd = blockEnd
}

/** Returns the next thing to report or to read, or undefined at the end of the text. */
export function nextFinding(reader: OutsideReader): Finding | undefined {
  const { text } = reader
  let parentheses: Range | undefined
  while (reader.at < text.length) {
    const at = reader.at
    const code = text.charCodeAt(at)
    if (isBlank(code) || isNewline(code)) {
      reader.at++
      continue
    }
    if (startsOutsideComment(text, at)) {
      const commentedOut = readComment(reader)
      if (commentedOut) return commentedOut
      continue
    }
    const character = text.charAt(at)
    if (character === '{') {
      const finding = readBrace(reader, parentheses)
      if (finding) return finding
    } else if (character === '}') {
      const stray = readStray(reader)
      if (stray) return stray
    }
    noteAlmostHeader(reader, parentheses)
    parentheses = character === '(' ? parenthesesAt(text, at) : undefined
    reader.at = Math.max(reader.at, parentheses?.end ?? at + 1)
  }
  noteAlmostHeader(reader, parentheses)
  return undefined
}

// `#word` is a hashtag; anything else that opens a comment within a block does so here.
function startsOutsideComment(text: string, at: number): boolean {
  if (!startsComment(text, at)) return false
  const next = text.charCodeAt(at + 1)
  return text.charAt(at) !== '#' || isBlank(next) || isNewline(next)
}

function readComment(reader: OutsideReader): Finding | undefined {
  const { text, at: start } = reader
  const end = commentEnd(text, start)
  reader.at = end
  const [whole, index] = commentedHeader(text, start, end)
  if (whole === undefined) return undefined
  const brace = start + index + whole.length - 1
  const close = closingBrace(reader, brace)
  if (close !== undefined) reader.at = Math.max(end, close + 1)
  return { kind: 'commentedOut', start, end: reader.at }
}

/** The header in a comment up to its brace, which may stand on the next line, and its offset in the comment. */
function commentedHeader(text: string, start: number, end: number): [string | undefined, number] {
  const [brace = ''] = /^[\n\r][ \t\n\r]{0,9}\{/.exec(text.slice(end, end + 11)) ?? []
  const found = /\([^(){}]*\)\s*\{(?!\{)/.exec(text.slice(start, end + brace.length))
  return [found?.[0], found?.index ?? 0]
}

/** The brace that closes this one where every brace counts, also those in comments. */
function closingBrace(reader: OutsideReader, brace: number): number | undefined {
  reader.braces ??= matchBraces(reader.text)
  return reader.braces.get(brace)
}

function matchBraces(text: string): Map<number, number> {
  const closing = new Map<number, number>()
  const open: number[] = []
  for (let at = 0; at < text.length; at++) {
    if (text.charAt(at) === '{') open.push(at)
    if (text.charAt(at) !== '}') continue
    const start = open.pop()
    if (start !== undefined) closing.set(start, at)
  }
  return closing
}

function readBrace(reader: OutsideReader, parentheses: Range | undefined): Finding | undefined {
  const { text, at: brace } = reader
  if (text.charAt(brace + 1) === '{') {
    reader.at = placeholderEnd(text, brace) ?? brace + 2
    return undefined
  }
  const header = parentheses && headerBefore(text, parentheses)
  if (header && (symbolLike.test(header.symbol.text) || bodyLike(text, brace + 1))) {
    return { kind: 'opening', header, brace: { start: brace, end: brace + 1 } }
  }
  if (!startsWithCommand(text, brace + 1)) return undefined
  return { kind: 'opening', header: undefined, brace: { start: brace, end: brace + 1 } }
}

// In prose, as in "up (5%) {!}", neither the parentheses nor the braces look like ours.
const symbolLike = /^$|^[\p{L}\p{N}/:._-]+$|\{\{/u

function bodyLike(text: string, at: number): boolean {
  const start = /\s*([A-Za-z_]\w*)\s*(?:([({=])|[;,}])/y
  start.lastIndex = at
  const [whole, word = '', opening] = start.exec(text) ?? []
  return whole !== undefined && (opening !== undefined || commandNamed(word) !== undefined)
}

function startsWithCommand(text: string, at: number): boolean {
  const start = /\s*([A-Za-z_]\w*)\s*([({=])/y
  start.lastIndex = at
  const [, word = '', next] = start.exec(text) ?? []
  if (next === '=') return word.toLowerCase() === 'type'
  const command = commandNamed(word)
  return command !== undefined && (next === '(' || command.takesBody)
}

function readStray(reader: OutsideReader): Finding | undefined {
  const afterBlock = /[\s;,]*([A-Za-z_]\w*)\s*\(/y
  afterBlock.lastIndex = reader.blockEnd
  reader.blockEnd = reader.at + 1
  const match = afterBlock.exec(reader.text)
  const word = match?.[1]
  if (word === undefined || commandNamed(word) === undefined) return undefined
  const start = reader.text.indexOf(word, afterBlock.lastIndex - (match?.[0].length ?? 0))
  reader.at++
  return { kind: 'stray', text: word, start, end: start + word.length }
}

/** Returns the stretch from `(` to `)` if it may be a symbol's; placeholders are let in, to be reported as such. */
function parenthesesAt(text: string, open: number): Range | undefined {
  let at = open + 1
  while (at < text.length) {
    const character = text.charAt(at)
    if (character === ')') return { start: open, end: at + 1 }
    const isPlaceholder = text.startsWith('{{', at)
    if (!isPlaceholder && '({};'.includes(character)) return undefined
    at = isPlaceholder ? (placeholderEnd(text, at) ?? text.length) : at + 1
  }
  return undefined
}

// A label has at most 50 characters; the rest is room for blanks between its words.
const labelWindow = 100

function headerBefore(text: string, parentheses: Range): HeaderSyntax | undefined {
  let end = parentheses.start
  while (isBlank(text.charCodeAt(end - 1))) end--
  let start = end
  while (start > 0 && end - start < labelWindow && !isNewline(text.charCodeAt(start - 1))) start--
  if (start === end) return undefined
  const before = wordOf(text, start, end)
  const quotedLabel = quotedEnd(before)
  const symbol = trimmed(text, parentheses.start + 1, parentheses.end - 1)
  return { before, quotedLabel, symbol, start: quotedLabel?.start ?? start, end: parentheses.end }
}

function quotedEnd(before: Word): Word | undefined {
  const match = /"([^"]{1,50})"$/.exec(before.text)
  if (!match) return undefined
  return { text: match[1] ?? '', start: before.start + match.index + 1, end: before.end - 1 }
}

function trimmed(text: string, from: number, to: number): Word {
  const content = text.slice(from, to)
  const start = from + content.length - content.trimStart().length
  return wordOf(text, start, start + content.trim().length)
}

function wordOf(text: string, start: number, end: number): Word {
  return { text: text.slice(start, end), start, end }
}

function noteAlmostHeader(reader: OutsideReader, parentheses: Range | undefined): void {
  if (parentheses === undefined) return
  const { text } = reader
  const symbol = text.slice(parentheses.start + 1, parentheses.end - 1)
  const name = /[A-Za-z_][\w-]*[ \t]*$/.exec(
    text.slice(Math.max(0, parentheses.start - 60), parentheses.start),
  )
  if (!name || !/^\s*[\w/:.-]{3,40}\s*$/.test(symbol) || commandNamed(name[0].trim())) return
  reader.almostHeader = { start: parentheses.start - name[0].length, end: parentheses.end }
}
