import { addProblem, isFull, type Problems } from '../problem.ts'
import type { WrittenMessage } from '../read-message.ts'
import type { CommandSyntax, Word } from '../syntax.ts'
import { placeholderFault } from '../syntax-fault.ts'
import { type AlertBlockDraft, isSpot, onlyBot, writtenAlert } from './alert-block.ts'
import { type AlertContext, honored, ignored, positiveNumber, refused } from './fields.ts'
import type { ForeignFormat } from './foreign-format.ts'
import {
  badChoiceFault,
  missingFieldFault,
  noAlertFault,
  refusedFieldFault,
  twiceFault,
  unknownFieldFault,
} from './format-fault.ts'
import { commandOf, placeholderIn } from './syntax-of.ts'
import { stretchesOf, wordsOf } from './text-words.ts'
import { closeAll, closePercent, reduce, type Side, wordAt } from './trade.ts'

const noDistance = refused('what it is measured from is a setting of Autoview; give the price with fp')
const noBorrowing = refused('nothing is borrowed or moved between accounts here')
const noChoosing = refused(
  'all open orders are canceled and all of the position is closed, or q percent of it',
)

/** Autoview's alert syntax. */
export const autoview: ForeignFormat = {
  name: 'autoview',
  title: 'Autoview',
  sources: [
    'https://autoview.com/syntax',
    'https://use.autoview.com/hc/en-us/articles/36684340009741-Building-Autoview-commands-A-comprehensive-guide',
  ],
  fields: {
    a: honored(
      'the label of a bot: name your bots as your accounts were named; may be left out by who has only one bot',
    ),
    s: honored('the symbol'),
    b: honored('buy and long buy, sell and short sell; with c which orders or which side of the position'),
    c: honored('order cancels open orders, position ends the position'),
    q: honored(
      'an amount of the coin; with c=position a percentage of the position. A percentage of an entry is refused: whether leverage multiplies it is not documented',
    ),
    t: honored('market; limit, post, ioc and fok with fp'),
    fp: honored('the price of a limit order'),
    l: honored('the leverage, set before the order'),
    ro: honored('1: the order only shrinks the position'),
    delay: honored('seconds to wait before what follows'),
    e: ignored('the bot says which exchange'),
    p: noDistance,
    sl: noDistance,
    tp: noDistance,
    ts: noDistance,
    fsl: refused('stops of a position are placed with our language'),
    ftp: refused('take-profits of a position are placed with our language'),
    u: refused('q is an amount of the coin here'),
    cm: noChoosing,
    cmo: noChoosing,
    cot: refused('an order that shrinks the position is placed with ro=1'),
    close: refused('c=order cancels open orders'),
    collateral: noBorrowing,
    ab: noBorrowing,
    ar: noBorrowing,
    amr: noBorrowing,
    y: noBorrowing,
    d: refused('a command that is switched off is left out'),
    aid: refused('the bot says which account'),
    bcc: refused('alerts are not passed on'),
    cc: refused('alerts are not passed on'),
  },
  read: readAutoview,
}

type Parameters = Map<string, Word>

function readAutoview(context: AlertContext): WrittenMessage {
  const { readable, problems } = context
  const drafts: AlertBlockDraft[] = []
  let isFound = false
  for (const stretch of stretchesOf(readable.text, /[|\r\n]+/g)) {
    // Text without any parameter is a note, as in "Golden cross | s=BTCUSDT b=long q=1".
    if (isFull(problems) || !/(?:^|\s)[a-z]+=/i.test(stretch.text)) continue
    isFound = true
    readCommand(context, stretch, drafts)
  }
  if (!isFound) addProblem(problems, { start: 0, end: 0 }, noAlertFault('s=BTCUSDT b=long q=0.01 t=market'))
  return writtenAlert(context, drafts)
}

function readCommand(context: AlertContext, stretch: Word, drafts: AlertBlockDraft[]): void {
  const { problems, bots } = context
  const errorsBefore = problems.errors.length
  const parameters = readParameters(stretch, problems)
  if (problems.errors.length > errorsBefore) return
  const last = drafts.at(-1)
  const [delay, symbol, account] = [parameters.get('delay'), parameters.get('s'), parameters.get('a')]
  const { start, end } = stretch
  if (delay && parameters.size === 1 && last) {
    last.commands.push(waitOf(delay))
    last.end = end
    return
  }
  const bot = account ?? onlyBot(bots, stretch, problems)
  if (!symbol) addProblem(problems, stretch, missingFieldFault('s', 'It is the symbol, as in s=BTCUSDT'))
  const commands = [
    ...(delay ? [waitOf(delay)] : []),
    ...commandsOf(stretch, parameters, isSpot(bots, bot), problems),
  ]
  if (bot && symbol) drafts.push({ bot, symbol, commands, start, end })
}

function waitOf(delay: Word): CommandSyntax {
  return commandOf('wait', delay, { duration: delay })
}

function readParameters(stretch: Word, problems: Problems): Parameters {
  const parameters: Parameters = new Map()
  for (const word of wordsOf(stretch)) {
    if (isFull(problems)) break
    const [, key = '', text = ''] = /^([a-z]+)=(.*)$/is.exec(word.text) ?? []
    const name = key.toLowerCase()
    const value = { text, start: word.end - text.length, end: word.end }
    const rule = autoview.fields[name]
    const placeholder = placeholderIn(value)
    if (rule === undefined)
      addProblem(problems, word, unknownFieldFault(key || word.text, Object.keys(autoview.fields)))
    else if (rule.use === 'refused' && !/^0*$/.test(text))
      addProblem(problems, word, refusedFieldFault(name, rule.note))
    else if (rule.use !== 'honored' || (text === '' && name === 'l')) continue
    else if (placeholder) addProblem(problems, placeholder, placeholderFault(text))
    else if (parameters.has(name)) addProblem(problems, word, twiceFault(name))
    else parameters.set(name, value)
  }
  return parameters
}

function commandsOf(
  at: Word,
  parameters: Parameters,
  isSpotBot: boolean,
  problems: Problems,
): CommandSyntax[] {
  const closing = parameters.get('c')
  const side = sideOf(parameters, problems)
  switch (closing?.text.toLowerCase()) {
    case undefined:
      return side ? open(at, parameters, side, isSpotBot, problems) : []
    case 'order':
      return cancel(closing ?? at, parameters, side, problems)
    case 'position':
      return close(closing ?? at, parameters, side, isSpotBot, problems)
    default:
      addProblem(problems, closing ?? at, badChoiceFault('c', closing?.text ?? '', ['order', 'position']))
      return []
  }
}

function sideOf(parameters: Parameters, problems: Problems): Side | undefined {
  const book = parameters.get('b')
  const word = book?.text.toLowerCase()
  if (word === 'buy' || word === 'long') return 'buy'
  if (word === 'sell' || word === 'short') return 'sell'
  if (book) addProblem(problems, book, badChoiceFault('b', book.text, ['buy', 'long', 'sell', 'short']))
  return undefined
}

function cancel(
  at: Word,
  parameters: Parameters,
  side: Side | undefined,
  problems: Problems,
): CommandSyntax[] {
  const type = parameters.get('t')
  if (type && !/^open$/i.test(type.text)) {
    addProblem(problems, type, refusedFieldFault('t', 'which kind of orders to cancel is chosen by b only'))
  }
  return [commandOf('cancel', at, { which: side && wordAt(side, at) })]
}

function close(
  at: Word,
  parameters: Parameters,
  side: Side | undefined,
  isSpotBot: boolean,
  problems: Problems,
): CommandSyntax[] {
  checkMarket(parameters, problems)
  const quantity = parameters.get('q')
  const isPercent = quantity?.text.endsWith('%') ?? false
  const number =
    quantity && positiveNumber({ ...quantity, text: quantity.text.replace(/%$/, '') }, 'q', problems)
  if (quantity && !number) return []
  if (side) {
    // c=position b=long ends a long position, which selling does.
    const amount = number
      ? { ...number, text: isPercent ? `${number.text}%p` : number.text }
      : wordAt('100%p', at)
    return [reduce(at, side === 'buy' ? 'sell' : 'buy', amount, isSpotBot)]
  }
  const command = number && isPercent ? closePercent(at, number) : closeAll(at)
  if (number && !(isPercent && command)) {
    addProblem(
      problems,
      number,
      refusedFieldFault('q', 'without b it is a percentage of the position, up to 100'),
    )
  }
  return command ? [command] : []
}

function checkMarket(parameters: Parameters, problems: Problems): void {
  const type = parameters.get('t')
  const price = parameters.get('fp')
  if (type && !/^market$/i.test(type.text)) {
    addProblem(
      problems,
      type,
      refusedFieldFault('t', 'a position is closed at market; a limit order with ro=1 is written without c'),
    )
  } else if (price) addProblem(problems, price, refusedFieldFault('fp', 'a position is closed at market'))
}

const orderTypes = ['market', 'limit', 'post', 'ioc', 'fok']

function open(
  at: Word,
  parameters: Parameters,
  side: Side,
  isSpotBot: boolean,
  problems: Problems,
): CommandSyntax[] {
  const quantity = parameters.get('q')
  if (!quantity) {
    addProblem(problems, at, missingFieldFault('q', 'It says how much, as in q=0.01'))
    return []
  }
  if (quantity.text.endsWith('%')) {
    addProblem(
      problems,
      quantity,
      refusedFieldFault('q', 'whether leverage multiplies a percentage is not documented; give an amount'),
    )
    return []
  }
  const amount = positiveNumber(quantity, 'q', problems)
  const leverage = parameters.get('l')
  const isReduceOnly = parameters.get('ro')?.text === '1' && !isSpotBot
  const reduceOnly = isReduceOnly ? wordAt('true', parameters.get('ro') ?? at) : undefined
  const settings = leverage ? [commandOf('exchangeSettings', leverage, { leverage })] : []
  const order = { side: wordAt(side, at), amount, reduceOnly }
  return amount ? [...settings, ...orderOf(at, parameters, order, problems)] : []
}

function orderOf(
  at: Word,
  parameters: Parameters,
  order: Record<string, Word | undefined>,
  problems: Problems,
): CommandSyntax[] {
  const type = parameters.get('t')
  const name = type?.text.toLowerCase() ?? 'limit'
  const price = parameters.get('fp')
  if (!orderTypes.includes(name)) addProblem(problems, type ?? at, badChoiceFault('t', name, orderTypes))
  if (name === 'market') {
    if (price) addProblem(problems, price, refusedFieldFault('fp', 'a market order has no price'))
    return [commandOf('market', at, order)]
  }
  // Without t Autoview places a limit order, at a price that only its settings know.
  if (!price)
    addProblem(
      problems,
      at,
      missingFieldFault('fp', 'A limit order has a price; a market order says t=market'),
    )
  const postOnly = name === 'post' ? wordAt('true', type ?? at) : undefined
  const tif = name === 'ioc' || name === 'fok' ? type : undefined
  return price ? [commandOf('limit', at, { ...order, price, postOnly, tif })] : []
}
