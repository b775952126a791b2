import { checkMessage } from './check.ts'
import { type Diagnostic, diagnose } from './diagnostic.ts'
import type { KnownBot } from './label.ts'
import { messageSizeFault } from './message-fault.ts'
import { parseMessage } from './parser.ts'
import { addProblem, noProblems } from './problem.ts'
import { makeReadable } from './readable-text.ts'
import { readStamps, type Stamps } from './stamp.ts'
import type { Block } from './tree.ts'

/** What a message says. */
export interface MessageReading extends Stamps {
  /** What to run; empty as soon as one diagnostic is an error, since nothing of such a message runs. */
  blocks: Block[]
  diagnostics: Diagnostic[]
  /** The labels of the user's bots that the message names, also where it is refused. */
  named: string[]
}

// 64 KiB of plain text, in UTF-16 units.
const messageLimit = 65_536

/** Reads a message of the user who has these bots. Whatever the text, it answers, and in linear time. */
export function readMessage(message: string, bots: readonly KnownBot[]): MessageReading {
  const problems = noProblems()
  if (message.length > messageLimit) {
    addProblem(problems, { start: messageLimit, end: message.length }, messageSizeFault(messageLimit))
    const readable = { original: message, text: message, origins: undefined }
    return { blocks: [], diagnostics: diagnose(problems, readable), named: [] }
  }
  const readable = makeReadable(message)
  const syntax = parseMessage(readable.text, problems)
  const stamps = readStamps(readable.text, syntax.blocks, problems)
  const { blocks, named } = checkMessage(syntax, readable, bots, problems)
  const isRefused = problems.errors.length > 0
  return { ...stamps, blocks: isRefused ? [] : blocks, diagnostics: diagnose(problems, readable), named }
}
