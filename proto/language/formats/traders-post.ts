import { addProblem, type Range } from '../problem.ts'
import type { WrittenMessage } from '../read-message.ts'
import type { CommandSyntax, Word } from '../syntax.ts'
import {
  type AlertContext,
  choiceOf,
  type Fields,
  honored,
  ignored,
  numberOf,
  refused,
  reportMissing,
} from './fields.ts'
import type { ForeignFormat } from './foreign-format.ts'
import { refusedFieldFault } from './format-fault.ts'
import { readJsonAlert } from './json-alert.ts'
import { commandOf } from './syntax-of.ts'
import {
  cancelAll,
  closeAll,
  closePercent,
  protect,
  reduce,
  reversal,
  type Side,
  withUnit,
  wordAt,
} from './trade.ts'

const actions = ['buy', 'sell', 'exit', 'cancel', 'add'] as const
const sentiments = ['bullish', 'long', 'bearish', 'short', 'flat'] as const
const quantityTypes = [
  'fixed_quantity',
  'dollar_amount',
  'percent_of_equity',
  'percent_of_position',
  'risk_dollar_amount',
] as const
const orderTypes = ['market', 'limit', 'stop', 'stop_limit', 'trailing_stop'] as const

/** TradersPost's webhook message. */
export const tradersPost: ForeignFormat = {
  name: 'traderspost',
  title: 'TradersPost',
  sources: [
    'https://docs.traderspost.io/docs/core-concepts/signals/webhooks',
    'https://docs.traderspost.io/docs/learn/platform-concepts/order-behavior',
    'https://traderspost.io/reference/webhook-message/invalid-quantity-type',
  ],
  fields: {
    bot: honored('our addition: which of your bots; may be left out by who has only one'),
    ticker: honored('the symbol'),
    action: honored(
      'buy and sell cancel the open orders, end a position on the other side and open one of the quantity; where there is one on this side already the order fails, but not on spot; exit ends the position; cancel cancels; add adds to the side of the sentiment',
    ),
    sentiment: honored(
      'flat ends the position; where it is against the action, the action only shrinks the position',
    ),
    quantity: honored(
      'how much; it must be there, since the sizes of subscriptions are stored at TradersPost',
    ),
    quantityType: honored(
      'fixed_quantity, dollar_amount, percent_of_equity, percent_of_position of exits; risk_dollar_amount is refused',
    ),
    orderType: honored('market, limit, stop, stop_limit; trailing_stop is refused'),
    limitPrice: honored('the price of a limit'),
    stopPrice: honored('the price that triggers a stop'),
    timeInForce: honored('gtc, ioc, fok; others are refused'),
    'takeProfit.percent': honored('how far from the entry: tp=e10%'),
    'takeProfit.amount': honored('how far from the entry, in the price: tp=e100'),
    'takeProfit.limitPrice': honored('the price'),
    'stopLoss.type': honored('stop; others are refused'),
    'stopLoss.percent': honored('how far from the entry: sl=e5%'),
    'stopLoss.amount': honored('how far from the entry, in the price: sl=e100'),
    'stopLoss.stopPrice': honored('the price'),
    'stopLoss.limitPrice': refused('the stop-loss is a market order'),
    'stopLoss.trailPrice': refused('there is no trailing stop here'),
    'stopLoss.trailPercent': refused('there is no trailing stop here'),
    'stopLoss.trailAmount': refused('there is no trailing stop here'),
    trailPrice: refused('there is no trailing order here'),
    trailAmount: refused('there is no trailing order here'),
    trailPercent: refused('there is no trailing order here'),
    optionType: refused('there are no options here'),
    intrinsicValue: refused('there are no options here'),
    expiration: refused('there are no options here'),
    strikeCount: refused('there are no options here'),
    strikesAway: refused('there are no options here'),
    strikePrice: refused('there are no options here'),
    price: ignored('the chart’s price; the price of a limit is limitPrice'),
    signalPrice: ignored('the chart’s price'),
    time: ignored('the chart’s time'),
    interval: ignored('the chart’s interval'),
    extendedHours: ignored('these markets never close'),
    extras: ignored('it is for the sender’s own notes'),
    message: ignored('it is for a person to read'),
  },
  read: readTradersPost,
}

function readTradersPost(context: AlertContext): WrittenMessage {
  return readJsonAlert(context, {
    fields: tradersPost.fields,
    symbol: { field: 'ticker', hint: 'It is the symbol, such as BTCUSDT' },
    commandsOf,
  })
}

function commandsOf(fields: Fields, isSpotBot: boolean): CommandSyntax[] {
  const action = choiceOf(fields, 'action', actions)
  if (!fields.nodes.has('action')) reportMissing(fields, 'action', 'It is buy, sell, exit, cancel or add')
  if (!action) return []
  const sentiment = sentimentOf(fields)
  switch (action.text) {
    case 'cancel':
      return [cancelAll(action)]
    case 'exit':
      return [cancelAll(action), ...exit(fields, action)]
    case 'add':
      return add(fields, action, sentiment)
    default:
      return [cancelAll(action), ...trade(fields, action, action.text, sentiment, isSpotBot)]
  }
}

function sentimentOf(fields: Fields): 'long' | 'short' | 'flat' | undefined {
  const sentiment = choiceOf(fields, 'sentiment', sentiments)?.text
  if (sentiment === undefined || sentiment === 'flat') return sentiment
  return sentiment === 'bullish' || sentiment === 'long' ? 'long' : 'short'
}

function trade(
  fields: Fields,
  at: Range,
  side: Side,
  sentiment: 'long' | 'short' | 'flat' | undefined,
  isSpotBot: boolean,
): CommandSyntax[] {
  if (sentiment === 'flat') return [closeAll(at)]
  const isShrinking = sentiment !== undefined && (sentiment === 'long') !== (side === 'buy')
  const amount = amountOf(fields, isShrinking)
  if (!amount) return []
  if (isShrinking || (isSpotBot && side === 'sell')) return [reduce(at, side, amount, isSpotBot)]
  return [...reversal(at, side, isSpotBot), ...order(fields, at, { side: wordAt(side, at), amount })]
}

function add(fields: Fields, at: Range, sentiment: 'long' | 'short' | 'flat' | undefined): CommandSyntax[] {
  if (sentiment === undefined || sentiment === 'flat') {
    addProblem(
      fields.problems,
      at,
      refusedFieldFault('action', 'which side to add to is known only with a sentiment of long or short'),
    )
    return []
  }
  const amount = amountOf(fields, false)
  return amount ? order(fields, at, { side: wordAt(sentiment === 'long' ? 'buy' : 'sell', at), amount }) : []
}

function exit(fields: Fields, at: Range): CommandSyntax[] {
  if (!fields.nodes.has('quantity')) return [closeAll(at)]
  const percent = numberOf(fields, 'quantity')
  const type = choiceOf(fields, 'quantityType', quantityTypes)
  if (type?.text !== 'percent_of_position') {
    addProblem(fields.problems, at, refusedFieldFault('quantity', 'of an exit it is a percent_of_position'))
    return []
  }
  const close = percent && closePercent(at, percent)
  if (percent && !close)
    addProblem(fields.problems, percent, refusedFieldFault('quantity', 'a position has 100 percent'))
  return close ? [close] : []
}

function amountOf(fields: Fields, isExit: boolean): Word | undefined {
  if (!fields.nodes.has('quantity'))
    reportMissing(fields, 'quantity', 'The size that a subscription has at TradersPost is not known here')
  const quantity = numberOf(fields, 'quantity')
  const type = choiceOf(fields, 'quantityType', quantityTypes)
  if (!quantity || (!type && fields.nodes.has('quantityType'))) return undefined
  switch (type?.text) {
    case undefined:
    case 'fixed_quantity':
      return quantity
    case 'dollar_amount':
      return withUnit(quantity, '$')
    case 'percent_of_equity':
      return withUnit(quantity, '%b')
    case 'percent_of_position':
      if (isExit) return withUnit(quantity, '%p')
      addProblem(fields.problems, type, refusedFieldFault('quantityType', 'an entry has no position yet'))
      return undefined
    case 'risk_dollar_amount':
      addProblem(
        fields.problems,
        type,
        refusedFieldFault('quantityType', 'no size is derived from a risk here'),
      )
      return undefined
  }
}

function order(fields: Fields, at: Range, size: Record<string, Word>): CommandSyntax[] {
  const type = choiceOf(fields, 'orderType', orderTypes)?.text ?? 'market'
  const tif = choiceOf(fields, 'timeInForce', ['gtc', 'ioc', 'fok'])
  const exits = protect(at, stopOf(fields), targetOf(fields))
  if (type === 'trailing_stop') {
    addProblem(fields.problems, at, refusedFieldFault('orderType', 'there is no trailing order here'))
    return []
  }
  if (type === 'market') return [commandOf('market', at, size), ...exits]
  const [early] = exits
  if (early)
    addProblem(
      fields.problems,
      early,
      refusedFieldFault(
        'orderType',
        'takeProfit and stopLoss need a position, which only a market order has at once',
      ),
    )
  const [limitPrice, stopPrice] = [numberOf(fields, 'limitPrice'), numberOf(fields, 'stopPrice')]
  if (type !== 'stop' && !fields.nodes.has('limitPrice'))
    reportMissing(fields, 'limitPrice', 'A limit order has a price')
  if (type !== 'limit' && !fields.nodes.has('stopPrice'))
    reportMissing(fields, 'stopPrice', 'A stop order has a price')
  if (type === 'limit') return [commandOf('limit', at, { ...size, price: limitPrice, tif })]
  const limit = type === 'stop' ? undefined : limitPrice
  return [commandOf('stopOrder', at, { ...size, price: stopPrice, limitPrice: limit, tif })]
}

function stopOf(fields: Fields): Word | undefined {
  const type = choiceOf(fields, 'stopLoss.type', ['stop', 'stop_limit', 'trailing_stop'])
  if (type && type.text !== 'stop') {
    addProblem(fields.problems, type, refusedFieldFault('stopLoss.type', 'the stop-loss is a stop order'))
  }
  return priceOf(fields, 'stopLoss', 'stopPrice')
}

function targetOf(fields: Fields): Word | undefined {
  return priceOf(fields, 'takeProfit', 'limitPrice')
}

function priceOf(fields: Fields, group: string, absolute: string): Word | undefined {
  const percent = numberOf(fields, `${group}.percent`)
  if (percent) return { ...percent, text: `e${percent.text}%` }
  const amount = numberOf(fields, `${group}.amount`)
  return amount ? { ...amount, text: `e${amount.text}` } : numberOf(fields, `${group}.${absolute}`)
}
