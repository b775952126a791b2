import type { Range } from './problem.ts'
import type { Span } from './tree.ts'

/** A message made readable for the lexer, and the way back to the message as it was received. */
export interface ReadableText {
  original: string
  text: string
  /** For every unit of `text` its offset in `original`; undefined where the two agree. */
  origins: Uint32Array | undefined
}

const unusual = /[\u0085\u00a0\u00ad\u1680\u2000-\u2015\u2028-\u202f\u205f-\u2064\u2212\u3000\ufeff]/
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/
const blank = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/
const lineEnd = /[\u0085\u2028\u2029]/
const dashBeforeNumber = /[\u2010-\u2015\u2212](?=[ \t]*[$.\d])/g

/** The message without invisible characters, with plain blanks and line ends, and a minus before numbers. */
export function makeReadable(original: string): ReadableText {
  if (!unusual.test(original)) return { original, text: original, origins: undefined }
  const origins = new Uint32Array(original.length)
  let text = ''
  for (let offset = 0; offset < original.length; offset++) {
    const character = original.charAt(offset)
    if (invisible.test(character)) continue
    origins[text.length] = offset
    text += readableCharacter(character)
  }
  return { original, text: text.replace(dashBeforeNumber, '-'), origins }
}

/** Returns the span in the original of a stretch of the readable text. */
export function spanOf({ original, origins }: ReadableText, { start, end }: Range): Span {
  if (origins === undefined) return { offset: start, length: end - start }
  const offset = origins[start] ?? original.length
  if (end <= start) return { offset: Math.min(offset, original.length), length: 0 }
  const last = origins[end - 1] ?? original.length - 1
  return { offset, length: last + 1 - offset }
}

function readableCharacter(character: string): string {
  if (character < '\u0085') return character
  if (blank.test(character)) return ' '
  return lineEnd.test(character) ? '\n' : character
}
