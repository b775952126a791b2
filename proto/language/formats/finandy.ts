import { isSameNumber } from '../number-text.ts'
import { addProblem, type Range } from '../problem.ts'
import type { WrittenMessage } from '../read-message.ts'
import type { CommandSyntax, Word } from '../syntax.ts'
import {
  type AlertContext,
  choiceOf,
  type Fields,
  flagOf,
  honored,
  ignored,
  numberOf,
  refused,
  reportMissing,
} from './fields.ts'
import type { ForeignFormat } from './foreign-format.ts'
import { refusedFieldFault } from './format-fault.ts'
import { readJsonAlert } from './json-alert.ts'
import { onlyTarget } from './only-target.ts'
import { commandOf } from './syntax-of.ts'
import { closeAll, protect, reversal, type Side, withUnit, wordAt } from './trade.ts'

const noAveraging = refused(
  'whether a signal opens or averages hangs on the position at Finandy; here it only opens',
)
const noClosing = refused(
  'how much a signal closes hangs on the position at Finandy; positionSide flat ends it',
)
const targetRules = {
  'tp.orders[].ofs': honored('how far from the entry, in percent: tp=e1%'),
  'tp.orders[].price': honored('the price, which outweighs ofs'),
  'tp.orders[].piece': honored('100 only'),
}

/** The TradingView signal of Finandy. */
export const finandy: ForeignFormat = {
  name: 'finandy',
  title: 'Finandy',
  sources: [
    'https://docs.finandy.com/algo-trading/signals-tradingview/interface',
    'https://docs.finandy.com/algo-trading/signals-tradingview/interface/close',
    'https://docs.finandy.com/algo-trading/signals-tradingview/interface/dca',
    'https://docs.finandy.com/algo-trading/signals-tradingview/interface/stop-loss',
    'https://docs.infinityalgo.com/trading-guide/trading-guide/automating-infinity-algo-alerts-via-finandy',
  ],
  fields: {
    bot: honored('our addition: which of your bots; may be left out by who has only one'),
    symbol: honored('the symbol'),
    side: honored(
      'buy and sell end a position on the other side and open one of open.amount; where there is one on this side already the order fails, but not on spot; a sell on spot is refused',
    ),
    positionSide: honored(
      'flat ends the position; long with buy and short with sell open; other pairs are refused',
    ),
    'open.enabled': honored('whether the signal opens; it must not be false'),
    'open.amount': honored(
      'how much; it must be there, since the settings of a signal are stored at Finandy',
    ),
    'open.amountType': honored('sumUsd (a value); others are refused'),
    'open.price': refused('orders of signals are market orders here'),
    'open.leverage': refused('set it at the exchange or with our language'),
    'sl.enabled': honored('whether there is one'),
    'sl.ofs': honored('how far from the entry, in percent: sl=e5%'),
    'sl.ofsMode': honored('pos, from the position; others are refused'),
    'sl.price': honored('the price, which outweighs ofs'),
    'sl.update': ignored('the stop-loss is placed anew with each signal'),
    'tp.enabled': honored('whether there is one'),
    'tp.orders': honored('one of the whole position; several are refused'),
    ...targetRules,
    'tp.update': ignored('the take-profit is placed anew with each signal'),
    slx: refused('there is no trailing stop here'),
    dca: noAveraging,
    close: noClosing,
    name: ignored('the name of the signal at Finandy'),
    secret: ignored('the webhook’s address says whose alert it is'),
  },
  read: readFinandy,
}

function readFinandy(context: AlertContext): WrittenMessage {
  return readJsonAlert(context, {
    fields: finandy.fields,
    symbol: { field: 'symbol', hint: 'It is the symbol, such as BTCUSDT' },
    commandsOf,
  })
}

function commandsOf(fields: Fields, isSpotBot: boolean): CommandSyntax[] {
  const side = choiceOf(fields, 'side', ['buy', 'sell'])
  if (!fields.nodes.has('side')) reportMissing(fields, 'side', 'It is buy or sell')
  const position = choiceOf(fields, 'positionSide', ['long', 'short', 'flat'])
  if (position?.text === 'flat') return [closeAll(position)]
  if (!side) return []
  if (position && (position.text === 'long') !== (side.text === 'buy')) {
    addProblem(
      fields.problems,
      position,
      refusedFieldFault('positionSide', 'how much of the position the signal closes is set at Finandy'),
    )
    return []
  }
  const opens = flagOf(fields, 'open.enabled')
  if (opens && !opens.isTrue)
    addProblem(
      fields.problems,
      opens,
      refusedFieldFault(
        'open.enabled',
        'a signal that does not open leaves what it closes to settings at Finandy',
      ),
    )
  if (isSpotBot && side.text === 'sell') {
    addProblem(
      fields.problems,
      side,
      refusedFieldFault('side', 'on spot a sell only closes, and how much it closes is set at Finandy'),
    )
    return []
  }
  return open(fields, side, side.text, isSpotBot)
}

function open(fields: Fields, at: Range, side: Side, isSpotBot: boolean): CommandSyntax[] {
  for (const path of ['open.amount', 'open.amountType']) {
    if (!fields.nodes.has(path))
      reportMissing(fields, path, 'The settings of a signal at Finandy are not known here')
  }
  const amount = numberOf(fields, 'open.amount')
  const type = choiceOf(fields, 'open.amountType', ['sumUsd'])
  const exits = protect(at, stopOf(fields), targetOf(fields))
  if (!amount || !type) return []
  const entry = { side: wordAt(side, at), amount: withUnit(amount, '$') }
  return [...reversal(at, side, isSpotBot), commandOf('market', at, entry), ...exits]
}

function stopOf(fields: Fields): Word | undefined {
  if (flagOf(fields, 'sl.enabled')?.isTrue === false) return undefined
  choiceOf(fields, 'sl.ofsMode', ['pos'])
  return numberOf(fields, 'sl.price') ?? fromEntry(numberOf(fields, 'sl.ofs'))
}

function targetOf(fields: Fields): Word | undefined {
  if (flagOf(fields, 'tp.enabled')?.isTrue === false) return undefined
  const target = onlyTarget(fields, 'tp.orders', targetRules)
  if (!target) return undefined
  const piece = numberOf(target, 'tp.orders[].piece')
  if (piece && !isSameNumber(piece.text, '100')) {
    addProblem(
      fields.problems,
      piece,
      refusedFieldFault('piece', 'a take-profit here ends the whole position'),
    )
  }
  return numberOf(target, 'tp.orders[].price') ?? fromEntry(numberOf(target, 'tp.orders[].ofs'))
}

function fromEntry(percent: Word | undefined): Word | undefined {
  return percent && { ...percent, text: `e${percent.text}%` }
}
