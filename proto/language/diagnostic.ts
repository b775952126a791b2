import type { DiagnosticCode } from '../error-code.ts'
import { isNewline } from './character.ts'
import { type Problem, type Problems, reportedProblems } from './problem.ts'
import { type ReadableText, spanOf } from './readable-text.ts'
import type { Span } from './tree.ts'

/** One report on a message. Codes with `E` refuse it, `W` warns, `N` notes. */
export interface Diagnostic {
  code: DiagnosticCode
  /** Everything in one line: the code, what is wrong, where, what was meant and what would be right. */
  message: string
  /** The fault, in the user's words. */
  cause: string
  /** The stretch of the message as it was received. */
  span: Span
  /** The start of the span, both from 1, the column in UTF-16 units. */
  line: number
  column: number
  /** The line of the source and, below it, a caret at the place. */
  excerpt: string
  /** The right text. */
  expected?: string
  /** The text that was probably meant. */
  suggestion?: string
  /** The parameter it is about, by its canonical name. */
  parameter?: string
  /** The text that mends a span. */
  fix?: { span: Span; text: string }
}

/** Whether the diagnostic refuses the message. */
export function isError({ code }: Diagnostic): boolean {
  return code.startsWith('E')
}

/** Returns the problems in the order of the text, as they are reported. */
export function diagnose(problems: Problems, readable: ReadableText): Diagnostic[] {
  const reported = reportedProblems(problems)
  if (reported.length === 0) return []
  const starts = lineStarts(readable.original)
  return reported.map((problem) => diagnosticOf(problem, readable, starts))
}

function diagnosticOf(problem: Problem, readable: ReadableText, starts: number[]): Diagnostic {
  const { code, cause, expected, suggestion, parameter } = problem
  const span = spanOf(readable, problem)
  const line = lineOf(starts, span.offset)
  const column = span.offset - (starts[line - 1] ?? 0) + 1
  const fix = fixOf(problem, readable)
  return {
    code,
    message: messageOf(problem, line, column),
    cause,
    span,
    line,
    column,
    excerpt: excerptOf(readable.original, starts, line, column, span.length),
    ...(expected === undefined ? {} : { expected }),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(parameter === undefined ? {} : { parameter }),
    ...(fix === undefined ? {} : { fix }),
  }
}

function messageOf({ code, cause, suggestion, expected }: Problem, line: number, column: number): string {
  const meant = suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`
  const right = expected === undefined ? '' : ` ${expected}.`
  return `${code} ${cause} (line ${line}, column ${column}).${meant}${right}`
}

function fixOf(problem: Problem, readable: ReadableText): Diagnostic['fix'] {
  const text = problem.mend?.text ?? problem.suggestion
  return text === undefined ? undefined : { span: spanOf(readable, problem.mend ?? problem), text }
}

/** Returns the start of each line; CR, LF and both together end one. */
function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = 0; at < text.length; at++) {
    const isEnd = isNewline(text.charCodeAt(at)) && !text.startsWith('\r\n', at)
    if (isEnd) starts.push(at + 1)
  }
  return starts
}

function lineOf(starts: number[], offset: number): number {
  const next = starts.findIndex((start) => start > offset)
  return next < 0 ? starts.length : next
}

// A message may be one line of 64 KiB: so much before the place and so much in all is shown of it.
const excerptBefore = 40
const excerptLength = 100

function excerptOf(text: string, starts: number[], line: number, column: number, length: number): string {
  const lineStart = starts[line - 1] ?? 0
  const start = lineStart + Math.max(0, column - 1 - excerptBefore)
  const [source = ''] = /^.*/.exec(text.slice(start, start + excerptLength)) ?? []
  const before = source.slice(0, lineStart + column - 1 - start).replace(/[^\t]/g, ' ')
  const carets = '^'.repeat(Math.max(1, Math.min(length, source.length - before.length)))
  return `${source}\n${before}${carets}`
}
