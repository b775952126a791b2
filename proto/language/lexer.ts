import { commentEnd, isBlank, isNewline, placeholderEnd, startsComment } from './character.ts'
import type { Range } from './problem.ts'

/**
 * `text` is a run of anything that is no punctuation, trimmed; `unclosed` is a quote without its end.
 * Line ends are no tokens: a token knows whether it begins a line.
 */
export type TokenKind =
  | '('
  | ')'
  | '{'
  | '}'
  | ';'
  | ','
  | '='
  | 'text'
  | 'quoted'
  | 'unclosed'
  | 'placeholder'
  | 'end'

/** One token of a block; offsets are UTF-16 units of the readable text. */
export interface Token extends Range {
  kind: TokenKind
  newlineBefore: boolean
}

/** A place in the text from which tokens are read. */
export interface Lexer {
  readonly text: string
  at: number
  /** The last comment that holds a `}`, which may have been meant to close the block. */
  swallowing: Range | undefined
}

/** A lexer that reads from this offset. */
export function lexFrom(text: string, at: number): Lexer {
  return { text, at, swallowing: undefined }
}

/** The next token; at the end of the text always an `end`. */
export function nextToken(lexer: Lexer): Token {
  const newlineBefore = skipTrivia(lexer)
  const { text, at: start } = lexer
  const kind = kindAt(text, start)
  lexer.at = endOf(kind, text, start)
  return { kind, start, end: kind === 'text' ? trimmedEnd(text, lexer.at) : lexer.at, newlineBefore }
}

function skipTrivia(lexer: Lexer): boolean {
  const { text } = lexer
  let newlinePassed = false
  for (;;) {
    const code = text.charCodeAt(lexer.at)
    if (isNewline(code)) {
      newlinePassed = true
      lexer.at++
    } else if (isBlank(code)) {
      lexer.at++
    } else if (!skipComment(lexer)) {
      return newlinePassed
    }
  }
}

function skipComment(lexer: Lexer): boolean {
  const { text, at: start } = lexer
  if (!startsComment(text, start)) return false
  const end = commentEnd(text, start)
  if (text.slice(start, end).includes('}')) lexer.swallowing = { start, end }
  lexer.at = end
  return true
}

function kindAt(text: string, at: number): TokenKind {
  const character = text.charAt(at)
  switch (character) {
    case '':
      return 'end'
    case '(':
    case ')':
    case '}':
    case ';':
    case ',':
    case '=':
      return character
    case '{':
      return text.charAt(at + 1) === '{' ? 'placeholder' : '{'
    case '"':
    case "'":
      return isClosedQuote(text, at) ? 'quoted' : 'unclosed'
    default:
      return 'text'
  }
}

function endOf(kind: TokenKind, text: string, start: number): number {
  switch (kind) {
    case 'end':
      return start
    case 'text':
      return textEnd(text, start)
    case 'quoted':
      return text.indexOf(text.charAt(start), start + 1) + 1
    case 'unclosed':
      return unclosedEnd(text, start)
    case 'placeholder':
      return placeholderEnd(text, start) ?? start + 2
    default:
      return start + 1
  }
}

// A quote ends on its own line: an apostrophe must not swallow the commands after it.
function isClosedQuote(text: string, open: number): boolean {
  const quote = text.charAt(open)
  for (let at = open + 1; at < text.length; at++) {
    if (text.charAt(at) === quote) return true
    if (isNewline(text.charCodeAt(at))) return false
  }
  return false
}

function textEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && !endsText(text, at)) at++
  return at
}

function endsText(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  switch (code) {
    case 0x28: // (
    case 0x29: // )
    case 0x2c: // ,
    case 0x3b: // ;
    case 0x3d: // =
    case 0x22: // "
    case 0x7b: // {
    case 0x7d: // }
    case 0x0a:
    case 0x0d:
      return true
    case 0x23: // #
    case 0x2f: // /
      return startsComment(text, at)
    default:
      return false
  }
}

function unclosedEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && !',;)}\n\r'.includes(text.charAt(at))) at++
  return trimmedEnd(text, at)
}

function trimmedEnd(text: string, end: number): number {
  let at = end
  while (isBlank(text.charCodeAt(at - 1))) at--
  return at
}
