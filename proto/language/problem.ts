import type { DiagnosticCode } from '../error-code.ts'

/** A stretch of the readable text, end exclusive. */
export interface Range {
  start: number
  end: number
}

/** Text that, put in the place of a range, mends a fault. */
export interface Mend extends Range {
  text: string
}

/** A fault of anything, wherever it stands. */
export interface Fault {
  code: DiagnosticCode
  /** One line, in the user's words, with the offending text quoted; no full stop. */
  cause: string
  /** The right text, one or more sentences without the last full stop. */
  expected?: string
  /** The text that was probably meant; it replaces the offending text unless `mend` says otherwise. */
  suggestion?: string
  mend?: Mend
  /** The parameter it is about, by its canonical name. */
  parameter?: string
}

/** A fault and the stretch of text it is about. */
export interface Problem extends Fault, Range {}

/** The problems of one message as they are found, errors apart from warnings and notes. */
export interface Problems {
  errors: Problem[]
  remarks: Problem[]
}

// More than this nobody reads, and it bounds the work on hostile input.
const problemLimit = 20

/** A list with no problems. */
export function noProblems(): Problems {
  return { errors: [], remarks: [] }
}

/** Notes a fault of this stretch of text, unless there are enough already. */
export function addProblem(problems: Problems, { start, end }: Range, fault: Fault): void {
  const list = fault.code.startsWith('E') ? problems.errors : problems.remarks
  if (list.length < problemLimit) list.push({ ...fault, start, end })
}

/** Returns whether reading on would find nothing more to report. */
export function isFull(problems: Problems): boolean {
  return problems.errors.length >= problemLimit
}

/**
 * Returns the problems in the order of the text, as many as are reported; errors go before remarks if there are too
 * many.
 */
export function reportedProblems(problems: Problems): Problem[] {
  return [...problems.errors, ...problems.remarks]
    .slice(0, problemLimit)
    .sort((a, b) => a.start - b.start || a.end - b.end)
}
