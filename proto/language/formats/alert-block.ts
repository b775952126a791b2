import type { KnownBot } from '../label.ts'
import { blockLimit, commandLimit } from '../parser.ts'
import { addProblem, type Problems, type Range } from '../problem.ts'
import type { WrittenMessage } from '../read-message.ts'
import type { Stamps } from '../stamp.ts'
import type { BlockSyntax, CommandSyntax, Word } from '../syntax.ts'
import { limitFault } from '../syntax-fault.ts'
import { type AlertContext, type Fields, textOf } from './fields.ts'
import { whichBotFault } from './format-fault.ts'
import { headerOf } from './syntax-of.ts'
import { wordAt } from './trade.ts'

/** Returns the bot that a field names, or the only one that the user has; a problem if that leaves it open. */
export function botOf({ bots, problems }: AlertContext, fields: Fields, path = 'bot'): Word | undefined {
  const named = textOf(fields, 'bot') ?? textOf(fields, path)
  if (fields.reported.has('bot') || fields.reported.has(path)) return undefined
  return named ?? onlyBot(bots, { start: fields.start, end: fields.start + 1 }, problems)
}

/** The only bot that the user has, as if it stood here. */
export function onlyBot(bots: readonly KnownBot[], at: Range, problems: Problems): Word | undefined {
  const [bot, other] = bots
  if (bot && !other) return wordAt(bot.label, at)
  addProblem(problems, at, whichBotFault(bots))
  return undefined
}

/** Whether the bot of this label trades spot. */
export function isSpot(bots: readonly KnownBot[], label: Word | undefined): boolean {
  const wanted = label?.text.toLowerCase()
  return bots.find((bot) => bot.label.toLowerCase() === wanted)?.market === 'spot'
}

/** One block's worth of commands. */
export interface AlertBlockDraft extends Range {
  bot: Word
  symbol: Word
  commands: CommandSyntax[]
}

/** The alert in the language; drafts of one bot and symbol that follow each other are one block. */
export function writtenAlert(
  { readable, problems }: AlertContext,
  drafts: readonly AlertBlockDraft[],
  stamps: Stamps = {},
): WrittenMessage {
  const blocks: BlockSyntax[] = []
  let last: AlertBlockDraft | undefined
  for (const draft of drafts) {
    const block = blocks.at(-1)
    if (block && last && isSame(draft.bot, last.bot) && isSame(draft.symbol, last.symbol))
      extend(block, draft)
    else blocks.push(blockOf(draft))
    last = draft
  }
  const [surplus] = blocks.slice(blockLimit)
  if (surplus) addProblem(problems, surplus, limitFault(`${blockLimit} blocks in a message`))
  const long = blocks.find(({ body }) => body.commands.length > commandLimit)
  if (long) addProblem(problems, long, limitFault(`${commandLimit} commands in a block`))
  return { syntax: { blocks: blocks.slice(0, blockLimit), almostHeader: undefined }, stamps, readable }
}

function isSame(a: Word, b: Word): boolean {
  return a.text.toLowerCase() === b.text.toLowerCase()
}

function blockOf({ bot, symbol, commands, start, end }: AlertBlockDraft): BlockSyntax {
  // Broken, so that an alert with nothing left to do is reported for what it lacks and not as empty.
  const body = { commands: [...commands], isBroken: true, isUnclosed: false, start, end }
  return { header: headerOf(bot, symbol), body, start, end }
}

function extend(block: BlockSyntax, { commands, end }: AlertBlockDraft): void {
  block.body.commands.push(...commands)
  block.body.end = end
  block.end = end
}
