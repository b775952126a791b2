import { idLengthFault } from './message-fault.ts'
import { addProblem, type Problems, type Range } from './problem.ts'
import { placeholderFault } from './syntax-fault.ts'

/** The message's own facts on lines outside blocks. */
export interface Stamps {
  /** `@id`: the sender's id of the message, 1 to 64 characters. */
  id?: string
  /** `@sent`: when it was sent, as it was written. */
  sentAt?: string
  /** The moment after which nothing of it may run, in ms since the epoch. */
  validUntil?: number
}

const idLimit = 64

/** The `@id` and `@sent` lines of a message; of several of a kind the first one holds. */
export function readStamps(text: string, blocks: readonly Range[], problems: Problems): Stamps {
  const stamps: Stamps = {}
  if (!text.includes('@')) return stamps
  for (const match of text.matchAll(/^[ \t]*@(id|sent)[ \t]+(\S.*)$/gim)) {
    const [line, kind = '', rest = ''] = match
    const value = rest.trimEnd()
    const start = match.index + line.length - rest.length
    if (blocks.some((block) => block.start <= start && start < block.end)) continue
    const isFit = checkStamp(value, { start, end: start + value.length }, problems)
    if (!isFit) continue
    if (kind.toLowerCase() === 'id') stamps.id ??= value
    else stamps.sentAt ??= value
  }
  return stamps
}

/** Returns whether this may be an id or a time; a problem if not. */
// One unfilled placeholder as the id would make every later alert a duplicate of the first.
export function checkStamp(value: string, range: Range, problems: Problems): boolean {
  if (value.includes('{{')) addProblem(problems, range, placeholderFault(value))
  else if (value.length > idLimit) addProblem(problems, range, idLengthFault(idLimit))
  else return true
  return false
}
