import { noCommandFault } from './command-fault.ts'
import { commandNamed, commandNames, isConditionName, isForeignCommand } from './command-table.ts'
import { nextFinding, type Opening, readOutside, resumeOutside } from './outside.ts'
import { type ArgumentList, isType, parseArguments, parsePairs, readColonPair } from './parse-arguments.ts'
import { addProblem, isFull, type Problem, type Problems, type Range } from './problem.ts'
import { nearest } from './suggestion.ts'
import type { BlockSyntax, BodySyntax, CommandSyntax, MessageSyntax, Word } from './syntax.ts'
import {
  colonFault,
  commentedOutFault,
  limitFault,
  missingTypeFault,
  placeholderFault,
  secondTypeFault,
  strayCommandFault,
  unclosedBlockFault,
} from './syntax-fault.ts'
import {
  hasBraceAhead,
  isIdentifier,
  kindAhead,
  readTokens,
  report,
  skipBraces,
  skipStatement,
  type TokenReader,
  take,
  wordAt,
} from './token-reader.ts'

/** The most blocks of a message. */
export const blockLimit = 20
/** The most commands of a block. */
export const commandLimit = 50
// A block, its oco, and one wrongly nested are read; deeper ones only cost stack.
const depthLimit = 4

/** The blocks of a message as they were written. Reads on after every problem, and in linear time. */
export function parseMessage(text: string, problems: Problems): MessageSyntax {
  const outside = readOutside(text)
  const blocks: BlockSyntax[] = []
  while (!isFull(problems)) {
    const finding = nextFinding(outside)
    if (finding === undefined) break
    if (finding.kind === 'commentedOut') addProblem(problems, finding, commentedOutFault())
    else if (finding.kind === 'stray') addProblem(problems, finding, strayCommandFault(finding.text))
    else if (blocks.length === blockLimit) {
      addProblem(problems, finding.brace, limitFault(`${blockLimit} blocks in a message`))
      break
    } else {
      const block = parseBlock(text, finding, problems)
      blocks.push(block)
      resumeOutside(outside, block.end)
    }
  }
  return { blocks, almostHeader: outside.almostHeader }
}

function parseBlock(text: string, { brace, header }: Opening, problems: Problems): BlockSyntax {
  const body = parseBody(readTokens(text, brace.start, problems), 0)
  return { header, body, start: header?.start ?? brace.start, end: body.end }
}

/** Reads from `{` to behind its `}`, or to where the next block begins or the text ends. */
function parseBody(reader: TokenReader, depth: number): BodySyntax {
  const errorsBefore = reader.problems.errors.length
  const open = take(reader)
  const commands: CommandSyntax[] = []
  let isApart = true
  let isUnclosed = false
  while (kindAhead(reader) !== '}') {
    if (kindAhead(reader) === 'end' || startsNextBlock(reader) || isFull(reader.problems)) {
      reportUnclosed(reader, open, commands.at(-1)?.end ?? open.end)
      isUnclosed = true
      break
    }
    isApart ||= reader.token.newlineBefore
    if (kindAhead(reader) === ';' || kindAhead(reader) === ',') isApart = take(reader).kind === ';' || isApart
    else if (commands.length === commandLimit) skipSurplus(reader)
    else {
      commands.push(...parseStatement(reader, depth, { before: commands.at(-1), isApart }))
      isApart = false
    }
  }
  const end = kindAhead(reader) === '}' ? take(reader).end : reader.token.start
  const hasStrays = commands.some(({ strays }) => strays.length > 0)
  const isBroken = hasStrays || reader.problems.errors.length > errorsBefore
  return { commands, isBroken, isUnclosed, start: open.start, end }
}

/** The position of a statement: behind which command, and whether something separates it from that. */
interface StatementPosition {
  before: CommandSyntax | undefined
  isApart: boolean
}

/** One command, or none where the statement cannot be read. */
function parseStatement(reader: TokenReader, depth: number, position: StatementPosition): CommandSyntax[] {
  if (kindAhead(reader) !== 'text') return parseStray(reader, position)
  const run = wordAt(reader, take(reader))
  switch (reader.token.kind) {
    case 'placeholder':
      return reader.token.newlineBefore
        ? parseBare(reader, run, depth, position)
        : parseStray(reader, position)
    case '=':
      return parsePairStatement(reader, run, position)
    case '(':
    case '{':
      return parseCall(reader, run, depth, position)
    default:
      return parseBare(reader, run, depth, position)
  }
}

function parseCall(
  reader: TokenReader,
  run: Word,
  depth: number,
  position: StatementPosition,
): CommandSyntax[] {
  const name = takeCommandName(reader, run, position)
  const errorsBefore = reader.problems.errors.length
  const list = kindAhead(reader) === '(' ? parseArguments(reader, name ?? run) : noArguments(run)
  if (name && commandNamed(name.text)?.takesBody) skipBeforeBody(reader, errorsBefore)
  const isBroken = list.isBroken || reader.problems.errors.length > errorsBefore
  const body = kindAhead(reader) === '{' ? parseBodyOf(reader, name, depth + 1) : undefined
  if (name === undefined) return []
  const { args } = list
  return [{ name, args, body, isBroken, strays: [], start: name.start, end: body?.end ?? list.end }]
}

/** Skips the text between a group and its braces, and reports it unless the group has a problem already. */
function skipBeforeBody(reader: TokenReader, errorsBefore: number): void {
  const { kind, newlineBefore } = reader.token
  if (kind === '{' || kind === 'text' || newlineBefore || !hasBraceAhead(reader)) return
  const isReported = reader.problems.errors.length > errorsBefore
  if (!isReported) reportNoCommand(reader, wordAt(reader, reader.token))
  while (kindAhead(reader) !== '{') take(reader)
}

/** The body of a group; that of anything else is skipped, since it is read once it stands where it can. */
function parseBodyOf(reader: TokenReader, name: Word | undefined, depth: number): BodySyntax {
  if (name && commandNamed(name.text)?.takesBody) return parseGroupBody(reader, depth)
  const { start } = reader.token
  reader.isUnclosed = true
  return { commands: [], isBroken: true, isUnclosed: false, start, end: skipBraces(reader) }
}

function noArguments({ end }: Range): ArgumentList {
  return { args: [], end, isBroken: false }
}

function parseGroupBody(reader: TokenReader, depth: number): BodySyntax {
  if (depth < depthLimit) return parseBody(reader, depth)
  const { start } = reader.token
  report(reader, reader.token, limitFault(`${depthLimit} braces in one another`))
  skipBraces(reader)
  return { commands: [], isBroken: true, isUnclosed: false, start, end: reader.token.start }
}

function parseBare(
  reader: TokenReader,
  run: Word,
  depth: number,
  position: StatementPosition,
): CommandSyntax[] {
  const { text } = run
  if (isIdentifier(text) && (commandNamed(text) || isForeignCommand(text) || isConditionName(text))) {
    return parseCall(reader, run, depth, position)
  }
  const statement = { start: run.start, end: skipStatement(reader) ?? run.end }
  const pair = readColonPair(run)
  if (pair && !commandNamed(pair.key.text)) report(reader, run, colonFault(pair.key.text, pair.value.text))
  else addStray(reader, position, run, wordAt(reader, statement))
  return []
}

function parsePairStatement(reader: TokenReader, run: Word, position: StatementPosition): CommandSyntax[] {
  if (!isIdentifier(run.text)) {
    addStray(reader, position, run)
    skipStatement(reader)
    return []
  }
  const errorsBefore = reader.problems.errors.length
  const pairs = parsePairs(reader, run)
  const types = pairs.filter(isType)
  const [type, second] = types
  if (second) report(reader, second, secondTypeFault())
  if (type === undefined) {
    const { start, end } = run
    addStrayProblem(reader, position, { ...missingTypeFault(run.text), start, end })
    skipStatement(reader)
  }
  const name = type?.value
  if (name === undefined) return []
  const args = pairs.filter((pair) => !isType(pair))
  const isBroken = reader.problems.errors.length > errorsBefore
  const body = kindAhead(reader) === '{' ? parseBodyOf(reader, name, 1) : undefined
  const end = body?.end ?? pairs.at(-1)?.end ?? run.end
  return [{ name, args, body, isBroken, strays: [], start: run.start, end }]
}

function parseStray(reader: TokenReader, position: StatementPosition): CommandSyntax[] {
  const kind = kindAhead(reader)
  const word = wordAt(reader, reader.token)
  if (kind === ')' && reader.owedParentheses > 0) {
    reader.owedParentheses--
    take(reader)
    return []
  }
  if (kind === 'placeholder') report(reader, word, placeholderFault(word.text))
  else addStray(reader, position, word)
  if (kind === '{') reader.isUnclosed = true
  if (kind === '{') skipBraces(reader)
  else take(reader)
  skipStatement(reader)
  return []
}

/** Returns the last word of the run, which is what is called; words before it are reported. */
function takeCommandName(reader: TokenReader, run: Word, position: StatementPosition): Word | undefined {
  if (isIdentifier(run.text)) return run
  const [last] = /[A-Za-z_]\w*$/.exec(run.text) ?? []
  if (last === undefined || commandNamed(last) === undefined) {
    addStray(reader, position, run)
    return undefined
  }
  const start = run.end - last.length
  addStray(reader, position, { ...run, text: run.text.slice(0, -last.length).trim() })
  return { text: last, start, end: run.end }
}

function skipSurplus(reader: TokenReader): void {
  report(reader, reader.token, limitFault(`${commandLimit} commands in a block`))
  while (kindAhead(reader) !== '}' && kindAhead(reader) !== 'end') {
    if (kindAhead(reader) === '{') skipBraces(reader)
    else take(reader)
  }
}

const header =
  /(?:[\p{L}\p{N}_-]+[ \t]+){0,7}([\p{L}\p{N}_-]+)[ \t]*\(\s*[\p{L}\p{N}/:._-]{2,40}\s*\)\s*\{(?!\{)/uy

/** Whether a new block begins where a statement should, so that the one being read lacks its `}`. */
function startsNextBlock({ token, lexer }: TokenReader): boolean {
  if (token.kind !== 'text' || lexer.text.charAt(lexer.at) !== '(') return false
  if (commandNamed(lexer.text.slice(token.start, token.end))) return false
  header.lastIndex = token.start
  const [whole = '', name] = header.exec(lexer.text) ?? []
  if (name === undefined || commandNamed(name) || isForeignCommand(name) || isConditionName(name))
    return false
  return !whole.startsWith(name) || nearest(name, commandNames) === undefined
}

function reportUnclosed(reader: TokenReader, open: Range, end: number): void {
  if (reader.isUnclosed || isFull(reader.problems)) return
  reader.isUnclosed = true
  const { swallowing } = reader.lexer
  report(reader, open, unclosedBlockFault(swallowing && wordAt(reader, swallowing).text, end))
}

/** Leaves what is no command to the one before it, which may be what is wrong. */
function addStray(reader: TokenReader, position: StatementPosition, run: Word, statement = run): void {
  const isMany = position.before !== undefined && position.before.strays.length >= strayLimit
  if (!isMany) addStrayProblem(reader, position, noCommandProblem(run, statement))
}

// More are not reported anyway, and hostile text has any number of them.
const strayLimit = 20

function addStrayProblem(
  reader: TokenReader,
  { before, isApart }: StatementPosition,
  problem: Problem,
): void {
  if (before === undefined) addProblem(reader.problems, problem, problem)
  else if (before.strays.length < strayLimit) before.strays.push({ ...problem, isApart })
}

function reportNoCommand(reader: TokenReader, run: Word): void {
  const problem = noCommandProblem(run, run)
  addProblem(reader.problems, problem, problem)
}

function noCommandProblem(run: Word, statement: Word): Problem {
  const [word = run.text] = /^[A-Za-z_]\w*(?=:?(?:\s|$))|^\S+/.exec(run.text) ?? []
  const fault = noCommandFault(word, statement.text.slice(word.length).trim())
  const mend = fault.suggestion?.includes('(') ? { mend: { ...statement, text: fault.suggestion } } : {}
  return { ...fault, ...mend, start: run.start, end: run.start + word.length }
}
