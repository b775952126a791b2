import { checkMessage } from './check.ts'
import { type Diagnostic, diagnose } from './diagnostic.ts'
import type { KnownBot } from './label.ts'
import { messageSizeFault } from './message-fault.ts'
import { parseMessage } from './parser.ts'
import { addProblem, noProblems, type Problems } from './problem.ts'
import { makeReadable, type ReadableText } from './readable-text.ts'
import { readStamps, type Stamps } from './stamp.ts'
import type { MessageSyntax } from './syntax.ts'
import type { Block } from './tree.ts'

/** The reading of a message. */
export interface MessageReading extends Stamps {
  /** The blocks to run; empty as soon as one diagnostic is an error, since nothing of such a message runs. */
  blocks: Block[]
  diagnostics: Diagnostic[]
  /** The labels of the user's bots that the message names, also where it is refused. */
  named: string[]
}

/** A message as it was written, not yet checked against anybody's bots. */
export interface WrittenMessage {
  syntax: MessageSyntax
  stamps: Stamps
  /** The text that the ranges of the syntax count in. */
  readable: ReadableText
}

// 64 KiB of UTF-8, as the message travels.
const limitBytes = 65_536

/** Reads a message of the user who has these bots. It returns for every text, and in linear time. */
export function readMessage(message: string, bots: readonly KnownBot[]): MessageReading {
  return readWritten(message, bots, readText)
}

/** Reads a message in another form: `read` finds what is written in it, the checks are the same. */
export function readWritten(
  message: string,
  bots: readonly KnownBot[],
  read: (readable: ReadableText, problems: Problems) => WrittenMessage,
): MessageReading {
  const problems = noProblems()
  const fitting = fittingLength(message)
  if (fitting < message.length) {
    addProblem(problems, { start: fitting, end: message.length }, messageSizeFault())
    const readable = { original: message, text: message, origins: undefined }
    return { blocks: [], diagnostics: diagnose(problems, readable), named: [] }
  }
  const { syntax, stamps, readable } = read(makeReadable(message), problems)
  const { blocks, named } = checkMessage(syntax, readable, bots, problems)
  const isRefused = problems.errors.length > 0
  return { ...stamps, blocks: isRefused ? [] : blocks, diagnostics: diagnose(problems, readable), named }
}

/** Reads a text of the language. */
export function readText(readable: ReadableText, problems: Problems): WrittenMessage {
  const syntax = parseMessage(readable.text, problems)
  return { syntax, stamps: readStamps(readable.text, syntax.blocks, problems), readable }
}

/** Returns the number of UTF-16 units of the message that fit into the limit; all of them if it is not too long. */
function fittingLength(message: string): number {
  // A unit is at most three bytes: four are two units.
  if (message.length * 3 <= limitBytes) return message.length
  let bytes = 0
  for (let at = 0; at < message.length; at++) {
    bytes += bytesOf(message.charCodeAt(at))
    if (bytes > limitBytes) return at
  }
  return message.length
}

function bytesOf(unit: number): number {
  if (unit < 0x80) return 1
  const isSurrogate = unit >= 0xd800 && unit <= 0xdfff
  return unit < 0x800 || isSurrogate ? 2 : 3
}
