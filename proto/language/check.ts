import { type CheckContext, checkCommand, findCommand } from './check-command.ts'
import { checkOco } from './check-oco.ts'
import { type KnownBot, matchLabel } from './label.ts'
import { emptyBlockFault, headlessFault, noBlockFault, perpetualOnSpotFault } from './message-fault.ts'
import { addProblem, isFull, type Problems, type Range } from './problem.ts'
import { type ReadableText, spanOf } from './readable-text.ts'
import { reportStrays } from './stray.ts'
import { readSymbol, type SymbolText } from './symbol.ts'
import type { BlockSyntax, BodySyntax, HeaderSyntax, MessageSyntax, Word } from './syntax.ts'
import { placeholderFault } from './syntax-fault.ts'
import type { Block, Command } from './tree.ts'
import type { Reading } from './value.ts'

/** The blocks with nothing wrong in them, and the labels of all bots that the message names. */
export interface CheckedMessage {
  blocks: Block[]
  named: string[]
}

interface Checking extends CheckedMessage {
  readonly readable: ReadableText
  readonly bots: readonly KnownBot[]
  readonly problems: Problems
}

/** Checks every block against the user's bots, and reports what is wrong. */
export function checkMessage(
  { blocks, almostHeader }: MessageSyntax,
  readable: ReadableText,
  bots: readonly KnownBot[],
  problems: Problems,
): CheckedMessage {
  const checking: Checking = { readable, bots, problems, blocks: [], named: [] }
  let isBroken = false
  for (const block of blocks) {
    const errorsBefore = problems.errors.length
    if (block.header) checkBlock(checking, block, block.header)
    // Behind a block that a stray brace has ended, what has no header is the rest of it.
    else if (!isBroken) checkHeadless(checking, block)
    isBroken = block.body.isBroken || problems.errors.length > errorsBefore || (isBroken && !block.header)
  }
  if (blocks.length + problems.errors.length + problems.remarks.length === 0)
    checkNoBlock(checking, almostHeader)
  return { blocks: checking.blocks, named: checking.named }
}

function checkBlock(checking: Checking, block: BlockSyntax, header: HeaderSyntax): void {
  const { readable, bots, problems } = checking
  const label = matchLabel(header, bots)
  if (label.fault) addProblem(problems, label.range, label.fault)
  else checking.named.push(label.bot.label)
  const market = label.fault ? undefined : label.bot.market
  const symbol = checkSymbol(problems, header.symbol, market)
  const { isUnclosed } = block.body
  const commands = checkCommands({ readable, problems, market, isUnclosed }, block.body)
  if (label.fault || !symbol) return
  checking.blocks.push({
    label: label.bot.label,
    labelSpan: spanOf(readable, label.range),
    symbol: symbol.symbol,
    symbolSpan: spanOf(readable, header.symbol),
    perp: symbol.perp,
    // In JSON the commands may stand before the label.
    span: spanOf(readable, { start: Math.min(label.range.start, block.body.start), end: block.end }),
    commands,
  })
}

function checkHeadless({ readable, bots, problems }: Checking, { body }: BlockSyntax): void {
  addProblem(problems, { start: body.start, end: body.start + 1 }, headlessFault(bots))
  checkCommands({ readable, problems, market: undefined, isUnclosed: body.isUnclosed }, body)
}

function checkNoBlock(
  { readable: { text }, bots, problems, named }: Checking,
  almost: Range | undefined,
): void {
  addProblem(problems, almost ?? firstLine(text), noBlockFault(text, almost, bots))
  if (almost === undefined) return
  const start = text.lastIndexOf('\n', almost.start) + 1
  const end = text.indexOf('(', almost.start)
  const label = matchLabel(
    { before: { text: text.slice(start, end).trimEnd(), start, end }, quotedLabel: undefined },
    bots,
  )
  if (!label.fault) named.push(label.bot.label)
}

function checkSymbol(
  problems: Problems,
  word: Word,
  market: KnownBot['market'] | undefined,
): SymbolText | undefined {
  const reading: Reading<SymbolText> = word.text.includes('{{')
    ? { fault: placeholderFault(word.text) }
    : readSymbol(word.text)
  if (reading.fault) {
    addProblem(problems, word, reading.fault)
    return undefined
  }
  if (reading.value.perp && market === 'spot')
    addProblem(problems, word, perpetualOnSpotFault(word.text, reading.value.symbol))
  return reading.value
}

function checkCommands(context: CheckContext, body: BodySyntax): Command[] {
  if (body.commands.length === 0 && !body.isBroken) addProblem(context.problems, body, emptyBlockFault())
  return body.commands.flatMap((syntax) => {
    if (isFull(context.problems)) return []
    const errorsBefore = context.problems.errors.length
    const spec = findCommand(context, syntax)
    const command = spec && (spec.takesBody ? checkOco : checkCommand)(context, spec, syntax)
    reportStrays(context, syntax, context.problems.errors.length > errorsBefore)
    return command ? [command] : []
  })
}

function firstLine(text: string): Range {
  const start = text.length - text.trimStart().length
  const [line = ''] = /^.*/.exec(text.slice(start)) ?? []
  return { start, end: start + line.length }
}
