import { type Lexer, lexFrom, nextToken, type Token, type TokenKind } from './lexer.ts'
import { addProblem, type Fault, type Problems, type Range } from './problem.ts'
import type { Word } from './syntax.ts'

/** Reads a block token by token, one ahead. */
export interface TokenReader {
  readonly lexer: Lexer
  readonly problems: Problems
  /** The next token, not yet taken. */
  token: Token
  /** A problem was reported for which a body may lack its `}`. */
  isUnclosed: boolean
  /** The number of lists of values that broke off before their `)`, which may come later. */
  owedParentheses: number
}

/** A reader whose next token is the first one from this offset on. */
export function readTokens(text: string, at: number, problems: Problems): TokenReader {
  const lexer = lexFrom(text, at)
  return { lexer, problems, token: nextToken(lexer), isUnclosed: false, owedParentheses: 0 }
}

/** The kind of the next token. */
export function kindAhead(reader: TokenReader): TokenKind {
  return reader.token.kind
}

/** Takes the next token. */
export function take(reader: TokenReader): Token {
  const taken = reader.token
  reader.token = nextToken(reader.lexer)
  return taken
}

/** The text of a stretch of tokens. */
export function wordAt(reader: TokenReader, { start, end }: Range): Word {
  return { text: reader.lexer.text.slice(start, end), start, end }
}

/** Notes a fault of what is read here. */
export function report(reader: TokenReader, range: Range, fault: Fault): void {
  addProblem(reader.problems, range, fault)
}

/** Whether the token ends a statement wherever it stands. */
export function endsStatement({ kind }: Token): boolean {
  return kind === ';' || kind === '}' || kind === 'end'
}

/** Skips the rest of a statement that cannot be read, to the next `;`, line or closing brace; where it ended. */
export function skipStatement(reader: TokenReader): number | undefined {
  let end: number | undefined
  while (!endsStatement(reader.token) && !reader.token.newlineBefore) {
    end = reader.token.kind === '{' ? skipBraces(reader) : take(reader).end
  }
  return end
}

/** Skips from an opening brace to behind the one that closes it, or to the end of the text; where that is. */
export function skipBraces(reader: TokenReader): number {
  let depth = 0
  let end = reader.token.start
  while (reader.token.kind !== 'end') {
    const { kind, end: taken } = take(reader)
    end = taken
    if (kind === '{') depth++
    if (kind === '}') depth--
    if (depth === 0) break
  }
  return end
}

const identifier = /^[A-Za-z_]\w*$/

/** Whether the text may be the name of a command or parameter. */
export function isIdentifier(text: string): boolean {
  return identifier.test(text)
}

/** Whether one of the next few tokens of this statement, behind the one ahead, opens a brace. */
export function hasBraceAhead(reader: TokenReader): boolean {
  const { token, lexer } = reader
  const { at, swallowing } = lexer
  for (let left = braceWindow; left > 0 && !endsStatement(reader.token) && kindAhead(reader) !== '{'; left--)
    take(reader)
  const isBrace = kindAhead(reader) === '{'
  reader.token = token
  lexer.at = at
  lexer.swallowing = swallowing
  return isBrace
}

// More than a doubled list of values is rather another command.
const braceWindow = 8
