import { isBlank, isNewline, placeholderEnd } from '../character.ts'
import { addProblem, type Problems, type Range } from '../problem.ts'
import type { Word } from '../syntax.ts'
import { limitFault, placeholderFault } from '../syntax-fault.ts'
import { emptyNumberFault, jsonFault, unclosedJsonFault, unclosedTextFault } from './format-fault.ts'

/** A value that holds no others. Of a text the word is what it says and the range is what stands in the quotes. */
export interface JsonScalar extends Word {
  kind: 'text' | 'number' | 'boolean' | 'null'
}

export interface JsonList extends Range {
  kind: 'list'
  items: JsonNode[]
}

export interface JsonMember {
  key: Word
  value: JsonNode
}

export interface JsonObject extends Range {
  kind: 'object'
  /** As they are written; a key may be there twice. */
  members: JsonMember[]
}

/** One value of a JSON text and where it stands. Numbers stay the digits they are written with. */
export type JsonNode = JsonScalar | JsonList | JsonObject

// Our own form needs five; deeper ones only cost stack.
const depthLimit = 10

/** Returns the whole text as JSON; undefined, and a problem at the break, if it is none. */
export function parseJson(text: string, problems: Problems): JsonNode | undefined {
  const reader: JsonReader = { text, at: 0, problems, isBroken: false }
  skipBlanks(reader)
  const node = readNode(reader, 0)
  skipBlanks(reader)
  if (!reader.isBroken && reader.at < text.length) fail(reader, 'nothing stands behind the last brace')
  return reader.isBroken ? undefined : node
}

interface JsonReader {
  readonly text: string
  readonly problems: Problems
  at: number
  isBroken: boolean
}

function readNode(reader: JsonReader, depth: number): JsonNode {
  const { text, at: start } = reader
  switch (text.charAt(start)) {
    case '{':
      // An unfilled placeholder, which never is an object.
      return text.charAt(start + 1) === '{' ? readBare(reader) : readObject(reader, depth)
    case '[':
      return readList(reader, depth)
    case '"':
      return { kind: 'text', ...readText(reader) }
    default:
      return readBare(reader)
  }
}

function readObject(reader: JsonReader, depth: number): JsonObject {
  const object: JsonObject = { kind: 'object', members: [], start: reader.at, end: reader.at }
  readAll(reader, depth, '}', () => {
    const key = readKey(reader)
    if (!reader.isBroken) object.members.push({ key, value: readNode(reader, depth + 1) })
  })
  object.end = reader.at
  return object
}

function readKey(reader: JsonReader): Word {
  if (reader.text.charAt(reader.at) !== '"') fail(reader, 'a name in double quotes is expected here')
  const key = readText(reader)
  skipBlanks(reader)
  if (!reader.isBroken && !takes(reader, ':')) fail(reader, 'a ":" is expected here')
  skipBlanks(reader)
  return key
}

function readList(reader: JsonReader, depth: number): JsonList {
  const list: JsonList = { kind: 'list', items: [], start: reader.at, end: reader.at }
  readAll(reader, depth, ']', () => list.items.push(readNode(reader, depth + 1)))
  list.end = reader.at
  return list
}

/** Reads from an opening bracket to behind its closing one, with commas between what is read. */
function readAll(reader: JsonReader, depth: number, close: string, readOne: () => void): void {
  const open = { start: reader.at, end: reader.at + 1 }
  reader.at++
  if (depth >= depthLimit) refuse(reader, open, limitFault(`${depthLimit} brackets in one another`))
  skipBlanks(reader)
  let isClosed = takes(reader, close)
  while (!isClosed && !reader.isBroken) {
    if (!isAtEnd(reader)) readOne()
    skipBlanks(reader)
    isClosed = takes(reader, close)
    if (isClosed) break
    if (isAtEnd(reader)) refuse(reader, open, unclosedJsonFault(close))
    else if (!takes(reader, ',')) fail(reader, `a "," or a "${close}" is expected here`)
    skipBlanks(reader)
  }
}

function isAtEnd({ at, text }: JsonReader): boolean {
  return at >= text.length
}

function takes(reader: JsonReader, character: string): boolean {
  if (reader.text.charAt(reader.at) !== character) return false
  reader.at++
  return true
}

const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

function readText(reader: JsonReader): Word {
  const { text } = reader
  const start = reader.at + 1
  const plainEnd = text.indexOf('"', start)
  const plain = text.slice(start, Math.max(start, plainEnd))
  if (plainEnd >= 0 && !plain.includes('\\')) {
    reader.at = plainEnd + 1
    return { text: plain, start, end: plainEnd }
  }
  const end = textEnd(text, start)
  reader.at = Math.min(text.length, end + 1)
  if (end >= text.length) {
    const shown = text.slice(start - 1)
    refuse(reader, { start: start - 1, end: text.length }, unclosedTextFault(shown))
  }
  return { text: unescaped(text.slice(start, end)), start, end }
}

function textEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1
  return Math.min(at, text.length)
}

/** Returns the content of an escaped text. Line ends may stand in it as they are, since alerts are often written so. */
export function unescaped(raw: string): string {
  return raw.replace(escapePattern, (_, hex: string | undefined, letter: string | undefined) =>
    hex === undefined
      ? (escapes[letter ?? ''] ?? letter ?? '')
      : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

/** One escaped character. */
export const escapePattern = /\\(?:u([0-9a-fA-F]{4})|(.))/gs

const barePattern = /-?[\p{L}\p{N}.+_-]+/uy
const numberPattern = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const emptyNumbers = /^-?(?:nan|na|n\/a|none|undefined|inf|infinity)$/i

function readBare(reader: JsonReader): JsonScalar {
  const { text, at: start } = reader
  barePattern.lastIndex = start
  const word = barePattern.exec(text)?.[0] ?? ''
  const range = { start, end: start + word.length }
  reader.at = range.end
  if (word === 'null') return { kind: 'null', text: word, ...range }
  if (word === 'true' || word === 'false') return { kind: 'boolean', text: word, ...range }
  if (!numberPattern.test(word)) refuseBare(reader, word, range)
  return { kind: 'number', text: word, ...range }
}

function refuseBare(reader: JsonReader, word: string, range: Range): void {
  const { text } = reader
  const close = text.startsWith('{{', range.start) ? placeholderEnd(text, range.start) : undefined
  if (close !== undefined) {
    const placeholder = { start: range.start, end: close }
    refuse(reader, placeholder, placeholderFault(text.slice(range.start, close)))
  } else if (emptyNumbers.test(word)) refuse(reader, range, emptyNumberFault(word))
  else {
    reader.at = range.start
    fail(reader, word === '' ? 'a value is expected here' : 'a text stands in double quotes')
  }
}

function skipBlanks(reader: JsonReader): void {
  for (;;) {
    const code = reader.text.charCodeAt(reader.at)
    if (!isBlank(code) && !isNewline(code)) return
    reader.at++
  }
}

function fail(reader: JsonReader, expected: string): void {
  const { text, at } = reader
  refuse(
    reader,
    { start: at, end: Math.min(at + 1, text.length) },
    jsonFault(text.slice(at, at + 20), expected),
  )
}

function refuse(reader: JsonReader, range: Range, fault: Parameters<typeof addProblem>[2]): void {
  if (!reader.isBroken) addProblem(reader.problems, range, fault)
  reader.isBroken = true
}
