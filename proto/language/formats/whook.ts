import { addProblem, isFull, type Problems } from '../problem.ts'
import type { WrittenMessage } from '../read-message.ts'
import type { CommandSyntax, Word } from '../syntax.ts'
import { placeholderFault } from '../syntax-fault.ts'
import { type AlertBlockDraft, isSpot, onlyBot, writtenAlert } from './alert-block.ts'
import { times } from './decimal-text.ts'
import { type AlertContext, honored, positiveNumber, refused } from './fields.ts'
import type { ForeignFormat } from './foreign-format.ts'
import {
  contradictionFault,
  missingFieldFault,
  noAlertFault,
  refusedFieldFault,
  twiceFault,
  unknownWordFault,
} from './format-fault.ts'
import { commandOf, placeholderIn } from './syntax-of.ts'
import { stretchesOf, wordsOf } from './text-words.ts'
import { closeAll, closePercent, type Side, wordAt } from './trade.ts'

/** The one-line orders of whook. */
export const whook: ForeignFormat = {
  name: 'whook',
  title: 'whook',
  sources: ['https://github.com/germangar/whook (README, “Alert syntax”)'],
  fields: {
    account: honored(
      'the label of a bot, without blanks: name your bots as your accounts were named; may be left out by who has only one bot',
    ),
    symbol: honored('ETHUSDT, ETHUSDT.P, ETH/USDT or ETH/USDT:USDT'),
    buy: honored('buys, at market or with limit:'),
    sell: honored('sells, at market or with limit:'),
    position: honored('or pos: arrives at a position, negative for short'),
    close: honored('ends the position, or a percentage of it'),
    'limit:': honored('limit:id:price makes buy and sell a limit order with the id as its tag'),
    'cancel:': honored('cancel:id cancels the order with this tag, cancel:all every open order'),
    changeleverage: honored('sets the leverage and does nothing else'),
    '3x': honored('or x3: the leverage, set before the order'),
    '300$': honored(
      'a value of so much collateral, times the leverage, which must be there; with nominal the value itself',
    ),
    '10%': honored('a percentage of the equity, times the leverage, as with $'),
    '50': honored('an amount of the coin; with collateral times the leverage'),
    '5@': refused('what a contract holds differs between exchanges'),
    nominal: honored('or bclock: the quantity is the value of the order'),
    collateral: honored('the quantity is what the order costs'),
    reduce: honored('or reduceonly: the order only shrinks the position'),
    force_usdt: refused('write the $ behind the number'),
    force_percent: refused('write the % behind the number'),
  },
  read: readWhook,
}

/** The words of one line. */
interface Line extends Word {
  account?: Word
  symbol?: Word
  command?: Word
  quantity?: Word
  leverage?: Word
  limit?: Word
  basis?: Word
  reduce?: Word
}

function readWhook(context: AlertContext): WrittenMessage {
  const { readable, problems } = context
  const drafts: AlertBlockDraft[] = []
  const lines = stretchesOf(readable.text, /[\r\n]+/g).filter(({ text }) => !text.startsWith('//'))
  for (const line of lines) {
    if (!isFull(problems)) readLine(context, line, drafts)
  }
  if (lines.length === 0)
    addProblem(problems, { start: 0, end: 0 }, noAlertFault('MyBot ETH/USDT buy 300$ x3'))
  return writtenAlert(context, drafts)
}

function readLine(context: AlertContext, stretch: Word, drafts: AlertBlockDraft[]): void {
  const { bots, problems } = context
  const line: Line = { ...stretch }
  const errorsBefore = problems.errors.length
  for (const word of wordsOf(stretch)) readWord(context, line, word)
  if (problems.errors.length > errorsBefore) return
  const bot = line.account ?? onlyBot(bots, stretch, problems)
  if (!line.symbol)
    addProblem(problems, stretch, missingFieldFault('symbol', 'A line names one, such as ETH/USDT'))
  if (!line.command) {
    addProblem(
      problems,
      stretch,
      missingFieldFault('command', 'A line has one: buy, sell, position, close or cancel:'),
    )
  }
  const commands = line.command ? commandsOf(line, line.command, isSpot(bots, bot), problems) : []
  const { start, end } = stretch
  if (bot && line.symbol) drafts.push({ bot, symbol: line.symbol, commands, start, end })
}

type Slot = 'account' | 'symbol' | 'command' | 'quantity' | 'leverage' | 'limit' | 'basis' | 'reduce'

function readWord({ bots, problems }: AlertContext, line: Line, word: Word): void {
  if (isFull(problems)) return
  const placeholder = placeholderIn(word)
  if (placeholder) {
    addProblem(problems, placeholder, placeholderFault(word.text))
    return
  }
  const text = word.text.toLowerCase()
  const isAccount = bots.some(({ label }) => label.toLowerCase() === text)
  const slot = isAccount ? 'account' : slotOf(text)
  if (slot === 'refused') {
    addProblem(
      problems,
      word,
      refusedFieldFault(word.text, whook.fields[text]?.note ?? whook.fields['5@']?.note ?? ''),
    )
  } else if (slot === undefined) addProblem(problems, word, unknownWordFault(word.text, bots))
  else if (line[slot]) addProblem(problems, word, twiceFault(slot))
  else line[slot] = slot === 'leverage' ? { ...word, text: text.replace('x', '') } : word
}

function slotOf(text: string): Slot | 'refused' | undefined {
  if (/^(?:buy|sell|long|short|position|pos|close|changeleverage|cancel:.+)$/.test(text)) return 'command'
  if (/^limit:.*$/.test(text)) return 'limit'
  if (/^(?:x\d+(?:\.\d+)?|\d+(?:\.\d+)?x)$/.test(text)) return 'leverage'
  if (/^-?[\d.]+(?:e[+-]?\d+)?[$%]?$/.test(text) || text === 'nan') return 'quantity'
  if (/^(?:nominal|bclock|collateral)$/.test(text)) return 'basis'
  if (/^reduce(?:only)?$/.test(text)) return 'reduce'
  if (/^-?[\d.]+@$/.test(text) || text.startsWith('force_')) return 'refused'
  return /\/|(?:usdt|usdc|usd|btc|eth|eur)(?:\.p)?(?::[a-z]+)?$/.test(text) ? 'symbol' : undefined
}

function commandsOf(line: Line, command: Word, isSpotBot: boolean, problems: Problems): CommandSyntax[] {
  const [name = '', id = ''] = command.text.split(/:(.*)/s)
  const { leverage } = line
  const settings = leverage ? [commandOf('exchangeSettings', leverage, { leverage })] : []
  switch (name.toLowerCase()) {
    case 'buy':
    case 'long':
      return [...settings, ...trade(line, command, 'buy', isSpotBot, problems)]
    case 'sell':
    case 'short':
      return [...settings, ...trade(line, command, 'sell', isSpotBot, problems)]
    case 'position':
    case 'pos':
      return [...settings, ...arrive(line, command, problems)]
    case 'close':
      return close(line, command, problems)
    case 'cancel':
      return [commandOf('cancel', command, id.toLowerCase() === 'all' ? {} : { tag: behind(command, id) })]
    default:
      if (!leverage) addProblem(problems, command, missingFieldFault('leverage', 'It is written like x3'))
      return settings
  }
}

/** The last part of a word. */
function behind(word: Word, text: string): Word {
  return { text, start: word.end - text.length, end: word.end }
}

function trade(line: Line, at: Word, side: Side, isSpotBot: boolean, problems: Problems): CommandSyntax[] {
  const amount = amountOf(line, at, problems)
  if (!amount) return []
  const reduceOnly = line.reduce && !isSpotBot ? wordAt('true', line.reduce) : undefined
  const order = { side: wordAt(side, at), amount, reduceOnly }
  const { limit } = line
  if (!limit) return [commandOf('market', at, order)]
  const [, id = '', price = ''] = /^limit:([^:]*):(.*)$/i.exec(limit.text) ?? []
  if (id === '' || price === '') {
    addProblem(problems, limit, missingFieldFault('limit', 'It is written like limit:myid:1012'))
    return []
  }
  const tagStart = limit.start + 'limit:'.length
  const tag = { text: id, start: tagStart, end: tagStart + id.length }
  return [commandOf('limit', at, { ...order, price: behind(limit, price), tag })]
}

function arrive(line: Line, at: Word, problems: Problems): CommandSyntax[] {
  const { quantity } = line
  if (line.limit) addProblem(problems, line.limit, contradictionFault('limit', 'position'))
  if (quantity && /^-?[0.]+[$%]?$/.test(quantity.text)) return [closeAll(quantity)]
  const isShort = quantity?.text.startsWith('-') ?? false
  const positive = quantity && isShort ? { ...quantity, text: quantity.text.slice(1) } : quantity
  const amount = amountOf({ ...line, ...(positive && { quantity: positive }) }, at, problems)
  const position = amount && isShort ? { ...amount, text: `-${amount.text}` } : amount
  return position ? [commandOf('market', at, { position })] : []
}

function close({ quantity }: Line, at: Word, problems: Problems): CommandSyntax[] {
  if (!quantity) return [closeAll(at)]
  const isPercent = quantity.text.endsWith('%')
  const percent = isPercent && positiveNumber(withoutUnit(quantity), 'close', problems)
  const command = percent ? closePercent(at, percent) : undefined
  if (!command && (percent || !isPercent)) {
    addProblem(
      problems,
      quantity,
      refusedFieldFault('close', 'it takes a percentage of the position, up to 100%'),
    )
  }
  return command ? [command] : []
}

/** The quantity without its unit. */
function withoutUnit(quantity: Word): Word {
  return { ...quantity, text: quantity.text.replace(/[$%]$/, '') }
}

function amountOf(line: Line, at: Word, problems: Problems): Word | undefined {
  const { quantity, leverage, basis } = line
  if (!quantity) {
    addProblem(problems, at, missingFieldFault('quantity', 'It says how much, such as 0.5, 300$ or 10%'))
    return undefined
  }
  const number = positiveNumber(withoutUnit(quantity), 'quantity', problems)
  const unit = /[$%]$/.exec(quantity.text)?.[0] ?? ''
  const isCollateral = basis ? /^collateral$/i.test(basis.text) : unit !== ''
  if (!number) return undefined
  if (isCollateral && !leverage) {
    addProblem(
      problems,
      quantity,
      missingFieldFault('leverage', 'This quantity is multiplied by it; write it like x3, or add nominal'),
    )
    return undefined
  }
  const text = isCollateral && leverage ? times(number.text, leverage.text) : number.text
  return { ...number, text: `${text}${unit === '%' ? '%b' : unit}` }
}
