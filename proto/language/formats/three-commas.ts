import { isSameNumber } from '../number-text.ts'
import { addProblem, type Range } from '../problem.ts'
import type { WrittenMessage } from '../read-message.ts'
import type { Stamps } from '../stamp.ts'
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
  textOf,
} from './fields.ts'
import type { ForeignFormat } from './foreign-format.ts'
import { refusedFieldFault, unreadableTimeFault } from './format-fault.ts'
import { readJsonAlert } from './json-alert.ts'
import { onlyTarget } from './only-target.ts'
import { commandOf } from './syntax-of.ts'
import { closeAll, protect, reduce, reversal, type Side, withUnit, wordAt } from './trade.ts'

const actions = ['enter_long', 'enter_short', 'exit_long', 'exit_short', 'disable', 'buy', 'sell'] as const
const units = ['base', 'quote', 'position_percent', 'margin_percent'] as const
const targetRules = {
  'take_profit.steps[].order_type': honored('market, or limit'),
  'take_profit.steps[].price_percent': honored('how far from the entry, in percent: tp=e1%'),
  'take_profit.steps[].volume_percent': honored('100 only'),
  'take_profit.steps[].trailing': refused('there is no trailing order here'),
}

/** The signal bot of 3Commas, alerts of indicators and of strategies. */
export const threeCommas: ForeignFormat = {
  name: '3commas',
  title: '3Commas signal bot',
  sources: [
    'https://help.3commas.io/en/articles/8894481-signal-bot-json-file-in-custom-signal-type',
    'https://help.3commas.io/en/articles/9374557-signal-bot-json-file-for-strategy-type',
  ],
  fields: {
    bot: honored('our addition: which of your bots; may be left out by who has only one'),
    tv_instrument: honored('the symbol'),
    action: honored(
      'enter_long and enter_short buy and sell the amount; exit_long and exit_short shrink the position; buy and sell of strategies too',
    ),
    'order.amount': honored('how much; of an exit all of the position where it is left out'),
    'order.currency_type': honored(
      'base, quote, or position_percent of exits; margin_percent is refused, since it is a percent of a budget that 3Commas keeps',
    ),
    'order.order_type': honored('market or limit'),
    'order.price': honored('the price of a limit order'),
    'order.price_percent': refused('what it is measured from is a setting of the bot at 3Commas'),
    'order.price_percent_ref_type': refused('see order.price_percent'),
    'strategy_info.market_position': honored('flat ends the position'),
    'strategy_info.prev_market_position': honored(
      'where a strategy turns around, an amount in quote is bought or sold after the old position is ended; one in base covers both',
    ),
    'strategy_info.market_position_size': ignored('the chart’s size; the amount counts'),
    'strategy_info.prev_market_position_size': ignored('the chart’s size; the amount counts'),
    'take_profit.enabled': honored('whether there is one'),
    'take_profit.steps': honored('one step of the whole position; several are refused'),
    ...targetRules,
    'stop_loss.enabled': honored('whether there is one'),
    'stop_loss.trigger_price_percent': honored('how far from the entry, in percent: sl=e1%'),
    'stop_loss.order_type': honored('market; limit is refused'),
    'stop_loss.trailing': refused('there is no trailing stop here'),
    'stop_loss.breakeven': refused('there is no stop that moves here'),
    max_lag: honored('seconds after timestamp in which the alert may still be run'),
    timestamp: honored('see max_lag'),
    secret: ignored('the webhook’s address says whose alert it is'),
    bot_uuid: ignored('a bot at 3Commas; bot says which one is meant here'),
    tv_exchange: ignored('the exchange of the chart; the bot says where to trade'),
    trigger_price: ignored('the chart’s price'),
    positions_sub_action: refused('it belongs to the action disable'),
  },
  read: readThreeCommas,
}

function readThreeCommas(context: AlertContext): WrittenMessage {
  return readJsonAlert(context, {
    fields: threeCommas.fields,
    symbol: { field: 'tv_instrument', hint: 'It is the symbol, such as BTCUSDT' },
    commandsOf,
    validity,
  })
}

function commandsOf(fields: Fields, isSpotBot: boolean): CommandSyntax[] {
  const action = choiceOf(fields, 'action', actions)
  if (!action) {
    if (!fields.nodes.has('action'))
      reportMissing(fields, 'action', 'It is enter_long, exit_long and the like')
    return []
  }
  switch (action.text) {
    case 'enter_long':
    case 'enter_short':
      return enter(fields, action, action.text === 'enter_long' ? 'buy' : 'sell')
    case 'exit_long':
    case 'exit_short':
      return exit(fields, action, action.text === 'exit_long' ? 'sell' : 'buy', isSpotBot)
    case 'buy':
    case 'sell':
      return followStrategy(fields, action, action.text, isSpotBot)
    case 'disable':
      addProblem(fields.problems, action, refusedFieldFault('action', 'a bot is halted in its settings here'))
      return []
  }
}

function enter(fields: Fields, at: Range, side: Side): CommandSyntax[] {
  const amount = amountOf(fields, false)
  if (!amount) {
    if (!fields.nodes.has('order.amount')) reportMissing(fields, 'order.amount', 'It says how much')
    return []
  }
  const entry = { side: wordAt(side, at), amount }
  const price = limitPrice(fields)
  const exits = exitsOf(fields, at)
  if (!price) return [commandOf('market', at, entry), ...exits]
  const [early] = exits
  if (early)
    addProblem(
      fields.problems,
      early,
      refusedFieldFault(
        'order.order_type',
        'take_profit and stop_loss need a position, which a limit order has not yet',
      ),
    )
  return [commandOf('limit', at, { ...entry, price })]
}

function limitPrice(fields: Fields): Word | undefined {
  const type = choiceOf(fields, 'order.order_type', ['market', 'limit'])
  const price = numberOf(fields, 'order.price')
  if (type?.text !== 'limit') return undefined
  if (!fields.nodes.has('order.price')) reportMissing(fields, 'order.price', 'A limit order has a price')
  return price
}

function exit(fields: Fields, at: Range, side: Side, isSpotBot: boolean): CommandSyntax[] {
  if (limitPrice(fields))
    addProblem(fields.problems, at, refusedFieldFault('order.order_type', 'an exit is a market order'))
  const amount = fields.nodes.has('order.amount') ? amountOf(fields, true) : wordAt('100%p', at)
  return amount ? [reduce(at, side, amount, isSpotBot)] : []
}

function followStrategy(fields: Fields, at: Range, side: Side, isSpotBot: boolean): CommandSyntax[] {
  const position = choiceOf(fields, 'strategy_info.market_position', ['long', 'short', 'flat'])
  const before = choiceOf(fields, 'strategy_info.prev_market_position', ['long', 'short', 'flat'])
  if (position?.text === 'flat') return [closeAll(position)]
  const isTurn = position && before && before.text !== 'flat' && before.text !== position.text
  const unit = choiceOf(fields, 'order.currency_type', units)
  // Contracts of a strategy that turns around cover both ways; other amounts are those of the new position.
  if (!isTurn || !unit || unit.text === 'base') return enter(fields, at, side)
  return [...reversal(at, side, isSpotBot), ...enter(fields, at, side)]
}

function amountOf(fields: Fields, isExit: boolean): Word | undefined {
  const amount = numberOf(fields, 'order.amount')
  const unit = choiceOf(fields, 'order.currency_type', units)
  if (!fields.nodes.has('order.currency_type')) {
    reportMissing(fields, 'order.currency_type', 'It says what the amount counts: base or quote')
  }
  if (!amount || !unit) return undefined
  const isRefused = unit.text === 'margin_percent' || (unit.text === 'position_percent' && !isExit)
  if (isRefused) {
    const note =
      unit.text === 'margin_percent'
        ? 'the budget it is a percent of is stored at 3Commas'
        : 'an entry has no position yet'
    addProblem(fields.problems, unit, refusedFieldFault('order.currency_type', note))
    return undefined
  }
  return withUnit(amount, unit.text === 'quote' ? '$' : unit.text === 'base' ? '' : '%p')
}

function exitsOf(fields: Fields, at: Range): CommandSyntax[] {
  return protect(at, stopOf(fields), targetOf(fields))
}

function stopOf(fields: Fields): Word | undefined {
  if (flagOf(fields, 'stop_loss.enabled')?.isTrue === false) return undefined
  const type = choiceOf(fields, 'stop_loss.order_type', ['market', 'limit'])
  if (type?.text === 'limit') {
    addProblem(
      fields.problems,
      type,
      refusedFieldFault('stop_loss.order_type', 'the stop-loss is a market order'),
    )
  }
  const percent = numberOf(fields, 'stop_loss.trigger_price_percent')
  return percent && { ...percent, text: `e${percent.text}%` }
}

function targetOf(fields: Fields): Word | undefined {
  if (flagOf(fields, 'take_profit.enabled')?.isTrue === false) return undefined
  const step = onlyTarget(fields, 'take_profit.steps', targetRules)
  if (!step) return undefined
  const volume = numberOf(step, 'take_profit.steps[].volume_percent')
  if (volume && !isSameNumber(volume.text, '100')) {
    addProblem(
      fields.problems,
      volume,
      refusedFieldFault('volume_percent', 'a take-profit here ends the whole position'),
    )
  }
  choiceOf(step, 'take_profit.steps[].order_type', ['market', 'limit'])
  const percent = numberOf(step, 'take_profit.steps[].price_percent')
  return percent && { ...percent, text: `e${percent.text}%` }
}

/** Until when the alert may be run. */
function validity(fields: Fields): Stamps {
  const lag = numberOf(fields, 'max_lag')
  const written = textOf(fields, 'timestamp')
  if (!lag || !written) return {}
  const sentAt = Date.parse(written.text)
  if (!Number.isNaN(sentAt)) return { validUntil: sentAt + Number(lag.text) * 1000 }
  addProblem(fields.problems, written, unreadableTimeFault('timestamp', written.text))
  return {}
}
