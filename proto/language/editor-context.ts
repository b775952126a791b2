import { commentEnd, isNewline, startsComment } from './character.ts'
import { type CommandSpec, commandNamed, parameterNamed, type WrittenName } from './command-table.ts'
import { lexFrom, nextToken, type Token } from './lexer.ts'
import { nextFinding, readOutside, resumeOutside } from './outside.ts'
import type { Range } from './problem.ts'
import type { HeaderSyntax } from './syntax.ts'

/** The values of one command up to the cursor. */
export interface ArgumentContext {
  kind: 'arguments'
  /** Undefined where the command is unknown, or pairs have no `type` yet. */
  spec: CommandSpec | undefined
  /** The parameter whose `=` stands before the cursor. */
  named: string | undefined
  /** The number of values without a name before it. */
  slot: number
  used: ReadonlySet<WrittenName>
  isPairs: boolean
}

/** The cursor's context in a message. */
export type EditorContext =
  | { kind: 'outside' }
  | { kind: 'comment' }
  | { kind: 'body'; isOco: boolean; header: HeaderSyntax | undefined }
  | (ArgumentContext & { header: HeaderSyntax | undefined })

interface Frame {
  isOco: boolean
  /** The text before the next punctuation. */
  word: string
  call: Call | undefined
}

interface Call {
  spec: CommandSpec | undefined
  named: string | undefined
  slot: number
  used: Set<WrittenName>
  isPairs: boolean
  /** The name that is called. */
  name: string
}

/** Returns the context of the end of this text, the readable one before the cursor. */
export function contextAtEnd(text: string): EditorContext {
  const outside = readOutside(text)
  for (let finding = nextFinding(outside); finding; finding = nextFinding(outside)) {
    if (finding.kind !== 'opening') continue
    const state = walkBlock(text, finding.brace)
    if (typeof state === 'object') return inBlock(state, finding.header)
    if (state === 'comment') return { kind: 'comment' }
    resumeOutside(outside, state)
  }
  return { kind: 'outside' }
}

function inBlock({ call, isOco }: Frame, header: HeaderSyntax | undefined): EditorContext {
  return call ? { kind: 'arguments', ...call, header } : { kind: 'body', isOco, header }
}

/** The innermost open frame at the end of the text; where the block ends before that, its end. */
function walkBlock(text: string, brace: Range): Frame | 'comment' | number {
  const lexer = lexFrom(text, brace.start)
  const frames: Frame[] = []
  let last = nextToken(lexer)
  for (let token = last; token.kind !== 'end'; token = nextToken(lexer)) {
    stepFrame(text, frames, token, last)
    if (frames.length === 0) return token.end
    last = token
  }
  if (isInComment(text, last.end)) return 'comment'
  const frame = frames.at(-1) ?? newFrame(false)
  // Pairs end with their line, unless a comma promises another one.
  if (frame.call?.isPairs && last.kind !== ',' && /[\n\r]/.test(text.slice(last.end))) frame.call = undefined
  return frame
}

function newFrame(isOco: boolean): Frame {
  return { isOco, word: '', call: undefined }
}

function stepFrame(text: string, frames: Frame[], token: Token, last: Token): void {
  const frame = frames.at(-1)
  const endsPairs = frame?.call?.isPairs && token.newlineBefore && last.kind !== ','
  if (frame && (token.kind === ';' || token.kind === '}' || endsPairs)) {
    frame.call = undefined
    frame.word = ''
  }
  if (token.kind === '}') frames.pop()
  else if (token.kind === '{')
    frames.push(newFrame(commandNamed(lastWord(frame?.word ?? ''))?.takesBody ?? false))
  else if (frame?.call) stepCall(frame, frame.call, text, token)
  else if (frame) stepBody(frame, text, token)
}

function stepBody(frame: Frame, text: string, token: Token): void {
  if (token.kind === 'text') frame.word = text.slice(token.start, token.end)
  else if (token.kind === '(') frame.call = newCall(lastWord(frame.word), false)
  else if (token.kind === '=') frame.call = { ...newCall('', true), named: frame.word }
}

function newCall(name: string, isPairs: boolean): Call {
  return { spec: commandNamed(name), named: undefined, slot: 0, used: new Set(), isPairs, name }
}

function stepCall(frame: Frame, call: Call, text: string, token: Token): void {
  switch (token.kind) {
    case ')':
      frame.call = undefined
      frame.word = call.name
      return
    case '=':
      call.named = call.isPairs || call.named === undefined ? frame.word : call.named
      return
    case ',':
      endArgument(frame, call)
      return
    default:
      frame.word = text.slice(token.start, token.end)
  }
}

function endArgument(frame: Frame, call: Call): void {
  const { spec, named, slot } = call
  if (call.isPairs && named?.toLowerCase() === 'type') call.spec = commandNamed(frame.word)
  const parameter = spec && (named === undefined ? spec.positional[slot] : parameterNamed(spec, named))
  if (parameter) call.used.add(parameter)
  if (named === undefined) call.slot++
  else call.slot = Number.POSITIVE_INFINITY
  call.named = undefined
  frame.word = ''
}

function lastWord(text: string): string {
  return /\w*$/.exec(text)?.[0] ?? ''
}

function isInComment(text: string, from: number): boolean {
  for (let at = from; at < text.length; at++) {
    if (!startsComment(text, at)) continue
    const end = commentEnd(text, at)
    const isClosed = text.slice(at, end).endsWith('*/') || isNewline(text.charCodeAt(end))
    if (end >= text.length && !isClosed) return true
    at = end - 1
  }
  return false
}
