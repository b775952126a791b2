import { isSameNumber } from '../number-text.ts'
import { addProblem, type Range } from '../problem.ts'
import type { WrittenMessage } from '../read-message.ts'
import { checkStamp, type Stamps } from '../stamp.ts'
import type { CommandSyntax, Word } from '../syntax.ts'
import { botOf, isSpot, writtenAlert } from './alert-block.ts'
import {
  type AlertContext,
  choiceOf,
  type Fields,
  flagOf,
  honored,
  ignored,
  neededText,
  numberOf,
  readFields,
  refused,
  reportMissing,
  textOf,
} from './fields.ts'
import type { ForeignFormat } from './foreign-format.ts'
import {
  contradictionFault,
  missingFieldFault,
  refusedFieldFault,
  spotMismatchFault,
} from './format-fault.ts'
import { parseJson } from './json.ts'
import { onlyTarget } from './only-target.ts'
import { commandOf } from './syntax-of.ts'
import { cancelAll, closeAll, closePercent, protect, type Side, withUnit, wordAt } from './trade.ts'

const spotExchanges = ['binance', 'bybit-spot', 'bybit-spot-testnet', 'kucoin-spot', 'coinbase-spot']
const unitTypes = [
  'absolute',
  'percent',
  'percentBalance',
  'percentWallet',
  'percentPosition',
  'risk',
] as const
const noTrailing = refused('there is no trailing order here')
const noExpression = refused('prices are not calculated here')
const noMesh = refused('further orders at a distance are not placed here')
const noSide = refused('one side of a hedged account cannot be chosen here')
const targetRules = {
  'targets[].takeProfitPercent': honored('how far from the entry, in percent: tp=e2%'),
  'targets[].price': honored('the price, where targetType is absolute'),
  'targets[].amount': honored('100, with targetAmountInPercent'),
  'targets[].trailing': noTrailing,
}

/** The TradeCommand of TradingView Hub. */
export const tvHub: ForeignFormat = {
  name: 'tvhub',
  title: 'TV-Hub',
  sources: [
    'https://www.tv-hub.org/docs/trade-command/core-parameters/',
    'https://www.tv-hub.org/docs/trade-command/sizing/',
    'https://www.tv-hub.org/docs/trade-command/stop-loss/',
    'https://www.tv-hub.org/docs/trade-command/take-profit/',
    'https://www.tv-hub.org/docs/trade-command/futures-options/',
    'https://www.tv-hub.org/docs/trade-command/close-and-cancel/',
  ],
  fields: {
    bot: honored('our addition: which of your bots; outweighs apiKey'),
    apiKey: honored('the label of a bot: name your bots as your keys were named'),
    exchange: honored('only whether it is spot or futures, which must fit the bot'),
    pair: honored('the symbol'),
    isBuy: honored('buys'),
    isSell: honored('sells'),
    isClose: honored('ends the position, or units percent of it with unitsType percentPosition'),
    orderType: honored('buy or sell, where neither isBuy nor isSell is given'),
    isMarket: honored('a market order, which is also the default'),
    isLimit: honored('a limit order at price'),
    price: honored('the price of a limit order'),
    units: honored('how much'),
    unitsType: honored(
      'absolute, percent (%a), percentBalance and percentWallet (%b), percentPosition of a close; risk is refused',
    ),
    unitsPercent: honored('percent of what is available (%a)'),
    useFixedSize: honored('whether fixedQuoteSize counts'),
    fixedQuoteSize: honored('a value in quote'),
    useEntireAccountBalance: refused('name a percentage instead'),
    leverage: honored('is set before the order'),
    marginType: honored('cross or isolated, set before the order'),
    reduceOnly: honored('as it says'),
    postOnly: honored('of limit orders, where it is true unless the alert says false'),
    closeCurrentPosition: honored('ends the position first'),
    cancelAllOrders: honored('cancels the open orders first'),
    cancelAll: honored('cancels the open orders'),
    stopLoss: honored('the price'),
    stopLossPercent: honored('how far from the entry, in percent: sl=e1%'),
    stopLossType: honored('absolute or percent'),
    targets: honored('one of the whole position; several are refused'),
    targetType: honored('percent or absolute'),
    targetAmountInPercent: honored('true'),
    ...targetRules,
    alertTimestamp: honored('the id of the alert: a repeat within 24 hours is not run again'),
    stopLossExpression: noExpression,
    takeProfitExpression: noExpression,
    useTrailingStopLoss: noTrailing,
    trailingStopLossPercent: noTrailing,
    trailingStopLossActivationPercent: noTrailing,
    stopLossToBreakEven: noTrailing,
    isStopLoss: refused('an order that rests already is not moved here'),
    useDca: noMesh,
    dcaPercent: noMesh,
    dcaOrderCount: noMesh,
    cancelAllDca: noMesh,
    cancelAllDcaOrders: noMesh,
    closeLong: noSide,
    closeShort: noSide,
    hedgeMode: noSide,
    positionSide: noSide,
    margin: refused('there are no margin accounts here'),
    workingType: refused('stops here are triggered by the mark price on futures and the last price on spot'),
    useLimitClose: refused('a close is a market order'),
    setTpToPosition: ignored('take-profits always hold for the whole position'),
    targetAssignedToPosition: ignored('take-profits always hold for the whole position'),
    instrumentType: ignored('the bot says which market'),
    broadcastSignal: refused('alerts are not passed on'),
    token: ignored('the webhook’s address says whose alert it is'),
  },
  read: readTvHub,
}

function readTvHub(context: AlertContext): WrittenMessage {
  const { problems, bots } = context
  const root = parseJson(context.readable.text, problems)
  const fields = root && readFields(root, tvHub.fields, problems)
  if (!fields || !root) return writtenAlert(context, [])
  const bot = botOf(context, fields, 'apiKey')
  const symbol = neededText(fields, 'pair', 'It is the symbol, such as BTCUSDT')
  const exchange = textOf(fields, 'exchange')
  const isSpotBot = isSpot(bots, bot)
  if (exchange && spotExchanges.includes(exchange.text) !== isSpotBot) {
    addProblem(problems, exchange, spotMismatchFault(exchange.text, isSpotBot))
  }
  const commands = commandsOf(fields, root)
  if (!bot || !symbol) return writtenAlert(context, [])
  return writtenAlert(
    context,
    [{ bot, symbol, commands, start: root.start, end: root.end }],
    stampsOf(fields),
  )
}

function stampsOf(fields: Fields): Stamps {
  const id = textOf(fields, 'alertTimestamp')
  return id && checkStamp(id.text, id, fields.problems) ? { id: id.text } : {}
}

function commandsOf(fields: Fields, { start }: Range): CommandSyntax[] {
  const at = { start, end: start + 1 }
  const commands: CommandSyntax[] = []
  const cancel = flagged(fields, 'cancelAllOrders') ?? flagged(fields, 'cancelAll')
  if (cancel) commands.push(cancelAll(cancel))
  const close = flagged(fields, 'isClose') ?? flagged(fields, 'closeCurrentPosition')
  if (close) commands.push(...closing(fields, close))
  const side = sideOf(fields)
  if (side && flagged(fields, 'isClose'))
    addProblem(fields.problems, side, contradictionFault(side.text, 'isClose'))
  if (side) commands.push(...settings(fields), ...entry(fields, side, side.text))
  if (!cancel && !close && !side)
    addProblem(fields.problems, at, missingFieldFault('isBuy', 'It is isBuy, isSell, isClose or cancelAll'))
  return commands
}

function flagged(fields: Fields, path: string): Range | undefined {
  const flag = flagOf(fields, path)
  return flag?.isTrue ? flag : undefined
}

function sideOf(fields: Fields): (Range & { text: Side }) | undefined {
  const [buy, sell] = [flagged(fields, 'isBuy'), flagged(fields, 'isSell')]
  if (buy && sell) addProblem(fields.problems, sell, contradictionFault('isSell', 'isBuy'))
  if (buy) return { ...buy, text: 'buy' }
  return sell ? { ...sell, text: 'sell' } : choiceOf(fields, 'orderType', ['buy', 'sell'])
}

function closing(fields: Fields, at: Range): CommandSyntax[] {
  const type = choiceOf(fields, 'unitsType', unitTypes)
  const percent = type?.text === 'percentPosition' ? numberOf(fields, 'units') : undefined
  const close = percent ? closePercent(at, percent) : closeAll(at)
  if (percent && !close)
    addProblem(fields.problems, percent, refusedFieldFault('units', 'a position has 100 percent'))
  return close ? [close] : []
}

function settings(fields: Fields): CommandSyntax[] {
  const leverage = numberOf(fields, 'leverage')
  const margin = choiceOf(fields, 'marginType', ['cross', 'crossed', 'isolated'])
  const first = leverage ?? margin
  if (!first) return []
  const marginMode = margin && wordAt(margin.text === 'isolated' ? 'isolated' : 'cross', margin)
  return [commandOf('exchangeSettings', first, { leverage, marginMode })]
}

function entry(fields: Fields, at: Range, side: Side): CommandSyntax[] {
  const amount = amountOf(fields)
  if (!amount) return []
  const shrinks = flagged(fields, 'reduceOnly')
  const order = { side: wordAt(side, at), amount, reduceOnly: shrinks && wordAt('true', shrinks) }
  const exits = protect(at, stopOf(fields), targetOf(fields))
  if (!flagged(fields, 'isLimit') || flagged(fields, 'isMarket'))
    return [commandOf('market', at, order), ...exits]
  const [early] = exits
  if (early)
    addProblem(
      fields.problems,
      early,
      refusedFieldFault(
        'isLimit',
        'stop-loss and take-profit need a position, which a limit order has not yet',
      ),
    )
  if (!fields.nodes.has('price')) reportMissing(fields, 'price', 'A limit order has a price')
  const postOnly = wordAt(flagOf(fields, 'postOnly')?.isTrue === false ? 'false' : 'true', at)
  return [commandOf('limit', at, { ...order, price: numberOf(fields, 'price'), postOnly })]
}

function amountOf(fields: Fields): Word | undefined {
  if (flagged(fields, 'useFixedSize')) {
    const value = numberOf(fields, 'fixedQuoteSize')
    if (!value) reportMissing(fields, 'fixedQuoteSize', 'With useFixedSize it is how much')
    return value && withUnit(value, '$')
  }
  const type = choiceOf(fields, 'unitsType', unitTypes)
  const percent = fields.nodes.has('unitsPercent') ? numberOf(fields, 'unitsPercent') : undefined
  if (percent && (type === undefined || type.text === 'percent')) return withUnit(percent, '%a')
  if (!fields.nodes.has('units')) reportMissing(fields, 'units', 'It says how much')
  const units = numberOf(fields, 'units')
  return units && unitsOf(fields, units, type)
}

function unitsOf(
  fields: Fields,
  units: Word,
  type: (Word & { text: (typeof unitTypes)[number] }) | undefined,
): Word | undefined {
  switch (type?.text) {
    case undefined:
    case 'absolute':
      return units
    case 'percent':
      return withUnit(units, '%a')
    case 'percentBalance':
    case 'percentWallet':
      return withUnit(units, '%b')
    case 'percentPosition':
      return withUnit(units, '%p')
    case 'risk':
      addProblem(fields.problems, type, refusedFieldFault('unitsType', 'no size is derived from a risk here'))
      return undefined
  }
}

function stopOf(fields: Fields): Word | undefined {
  const type = choiceOf(fields, 'stopLossType', ['absolute', 'percent'])
  const path = type?.text === 'percent' ? 'stopLossPercent' : 'stopLoss'
  const isGiven = fields.nodes.has('stopLoss') || fields.nodes.has('stopLossPercent')
  // Templates carry a zero where there is no stop.
  if (!isGiven || isZero(fields, path)) return undefined
  if (!type)
    reportMissing(
      fields,
      'stopLossType',
      'It says whether the stop-loss is a price (absolute) or a percentage (percent)',
    )
  const stop = numberOf(fields, path)
  return stop && type?.text === 'percent' ? { ...stop, text: `e${stop.text}%` } : stop
}

function isZero(fields: Fields, path: string): boolean {
  return /^[0.]*$/.test(textOf(fields, path)?.text ?? '1')
}

function targetOf(fields: Fields): Word | undefined {
  const target = onlyTarget(fields, 'targets', targetRules)
  if (!target) return undefined
  const amount = numberOf(target, 'targets[].amount')
  const isPercent = flagged(fields, 'targetAmountInPercent') !== undefined
  if (amount && !(isPercent && isSameNumber(amount.text, '100'))) {
    addProblem(
      fields.problems,
      amount,
      refusedFieldFault(
        'amount',
        'a take-profit here ends the whole position: 100 with targetAmountInPercent',
      ),
    )
  }
  if (choiceOf(fields, 'targetType', ['percent', 'absolute'])?.text === 'absolute') {
    return numberOf(target, 'targets[].price')
  }
  const percent = numberOf(target, 'targets[].takeProfitPercent')
  return percent && { ...percent, text: `e${percent.text}%` }
}
