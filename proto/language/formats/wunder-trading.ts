import { isSameNumber, shiftPoint } from '../number-text.ts'
import { addProblem, type Range } from '../problem.ts'
import type { WrittenMessage } from '../read-message.ts'
import type { CommandSyntax, Word } from '../syntax.ts'
import {
  type AlertContext,
  choiceOf,
  type Fields,
  honored,
  ignored,
  neededText,
  numberOf,
  refused,
  reportMissing,
} from './fields.ts'
import type { ForeignFormat } from './foreign-format.ts'
import { badChoiceFault, refusedFieldFault } from './format-fault.ts'
import { readJsonAlert } from './json-alert.ts'
import { onlyTarget } from './only-target.ts'
import { commandOf } from './syntax-of.ts'
import { closeAll, protect, reduce, type Side, withUnit, wordAt } from './trade.ts'

const targetRules = {
  'takeProfits[].priceDeviation': honored('how far from the entry, as a fraction: 0.02 is tp=e2%'),
  'takeProfits[].price': honored('the price'),
  'takeProfits[].portfolio': honored('1 only'),
}

/** The signal bot of WunderTrading, settings in JSON. */
export const wunderTrading: ForeignFormat = {
  name: 'wundertrading',
  title: 'WunderTrading',
  sources: [
    'https://help.wundertrading.com/en/articles/10475473-signal-bot-comprehensive-json-guide',
    'https://wundertrading.com/docs/mcp/tools/place_strategy_trade',
    'https://docs.infinityalgo.com/trading-guide/trading-guide/automating-infinity-algo-alerts-via-wundertrading',
  ],
  fields: {
    bot: honored('our addition: which of your bots; may be left out by who has only one'),
    symbol: honored('our addition: the symbol, which WunderTrading keeps in its bot; "{{ticker}}" gives it'),
    code: honored(
      'Enter-Long and Enter-Short buy and sell the amount, Exit-Long and Exit-Short end a long or short position, Exit-All ends whichever there is; what stands behind that in the code is ignored',
    ),
    amountPerTrade: honored('how much'),
    amountPerTradeType: honored(
      'quote and $ (a value), base and contracts (the coin), percents (a fraction: 0.1 is 10%b)',
    ),
    orderType: honored('market; limit is refused, since its lifetime cannot be honored'),
    takeProfits: honored('one of the whole position; several are refused'),
    ...targetRules,
    'stopLoss.priceDeviation': honored('how far from the entry, as a fraction: 0.01 is sl=e1%'),
    'stopLoss.price': honored('the price'),
    leverage: refused(
      'whether it multiplies the amount is not documented; set it at the exchange or with our language',
    ),
    price: refused('it belongs to limit orders'),
    timeToLive: refused('it belongs to limit orders'),
    trailingStop: refused('there is no trailing stop here'),
    moveToBreakeven: refused('there is no stop that moves here'),
    dca: refused('further orders at a distance are not placed here'),
    reduceOnly: ignored('an exit here never opens a position'),
    placeConditionalOrdersOnExchange: ignored('they always rest at the exchange where it can hold them'),
  },
  read: readWunderTrading,
}

function readWunderTrading(context: AlertContext): WrittenMessage {
  return readJsonAlert(context, {
    fields: wunderTrading.fields,
    symbol: {
      field: 'symbol',
      hint: 'WunderTrading keeps it in its bot; add "symbol": "{{ticker}}" to the alert',
    },
    commandsOf,
  })
}

function commandsOf(fields: Fields, isSpotBot: boolean): CommandSyntax[] {
  const code = neededText(fields, 'code', 'It begins like Enter-Long')
  if (!code) return []
  const [, act = '', side = ''] = /^(enter|exit)-(long|short|all)(?![a-z])/i.exec(code.text) ?? []
  const type = choiceOf(fields, 'orderType', ['market', 'limit'])
  if (type?.text === 'limit') {
    addProblem(
      fields.problems,
      type,
      refusedFieldFault('orderType', 'the lifetime of a limit order cannot be honored'),
    )
  }
  switch (`${act}-${side}`.toLowerCase()) {
    case 'enter-long':
      return enter(fields, code, 'buy')
    case 'enter-short':
      return enter(fields, code, 'sell')
    case 'exit-long':
      return [reduce(code, 'sell', wordAt('100%p', code), isSpotBot)]
    case 'exit-short':
      return [reduce(code, 'buy', wordAt('100%p', code), isSpotBot)]
    case 'exit-all':
      return [closeAll(code)]
    default:
      addProblem(fields.problems, code, badChoiceFault('code', code.text, codes))
      return []
  }
}

const codes = ['Enter-Long', 'Enter-Short', 'Exit-Long', 'Exit-Short', 'Exit-All']

function enter(fields: Fields, at: Range, side: Side): CommandSyntax[] {
  const amount = amountOf(fields)
  const exits = protect(at, priceOf(fields, 'stopLoss'), targetOf(fields))
  return amount ? [commandOf('market', at, { side: wordAt(side, at), amount }), ...exits] : []
}

function amountOf(fields: Fields): Word | undefined {
  for (const path of ['amountPerTrade', 'amountPerTradeType']) {
    if (!fields.nodes.has(path))
      reportMissing(fields, path, 'What a bot has at WunderTrading is not known here')
  }
  const amount = numberOf(fields, 'amountPerTrade')
  const type = choiceOf(fields, 'amountPerTradeType', ['quote', '$', 'base', 'contracts', 'percents'])
  if (!amount || !type) return undefined
  if (type.text === 'percents') return { ...amount, text: `${shiftPoint(amount.text, 2)}%b` }
  return withUnit(amount, type.text === 'quote' || type.text === '$' ? '$' : '')
}

function targetOf(fields: Fields): Word | undefined {
  const target = onlyTarget(fields, 'takeProfits', targetRules)
  if (!target) return undefined
  const portfolio = numberOf(target, 'takeProfits[].portfolio')
  if (portfolio && !isSameNumber(portfolio.text, '1')) {
    addProblem(
      fields.problems,
      portfolio,
      refusedFieldFault('portfolio', 'a take-profit here ends the whole position'),
    )
  }
  return priceOf(target, 'takeProfits[]')
}

function priceOf(fields: Fields, group: string): Word | undefined {
  const deviation = numberOf(fields, `${group}.priceDeviation`)
  if (!deviation) return numberOf(fields, `${group}.price`)
  return { ...deviation, text: `e${shiftPoint(deviation.text, 2)}%` }
}
