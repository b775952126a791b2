import type { Command } from '@tripline/proto/alert-tree'
import { isGreater, isZero, subtract } from '@tripline/proto/decimal'
import type { Amount, LegCommand, Price } from '@tripline/proto/language/tree'
import { closeOnlyFinding } from '../account/close-only.ts'
import type { ForeseenCode } from '../execution/foresee.ts'
import { noPair } from '../group/group.ts'
import type { Market } from '../order/market.ts'
import type { OrderType } from '../order/order-type.ts'
import { stopTypeOf } from '../resolve/stop.ts'
import { defaultTrigger } from '../resolve/trigger.ts'

/** Why a block cannot be run here, found before anything of its alert runs. */
export interface Finding {
  code: 'E303' | 'E310' | 'E401' | 'E402' | 'E403' | 'E404' | 'E405' | 'E406' | 'E407' | 'E516' | ForeseenCode
  message: string
  /** Which command of the block it is about; absent where it is the block itself. */
  command?: number
}

/** A block's market as known without a request. */
export interface Surroundings {
  symbol: string
  market: Market | undefined
  /** The listed symbol that was probably meant by one that is not. */
  meant: string | undefined
  /** The alert came at a close-only address. */
  isCloseOnly?: boolean | undefined
}

/** Returns the findings that prevent these commands from running on this market; empty when there are none. */
export function checkBlock(
  commands: readonly Command[],
  { symbol, market, meant, isCloseOnly = false }: Surroundings,
): Finding[] {
  if (market === undefined) {
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    return [{ code: 'E401', message: `${symbol} is not listed on this market.${hint}` }]
  }
  if (!market.isTrading) return [{ code: 'E402', message: `${symbol} is not trading now` }]
  return commands.flatMap((command, index) => {
    const refused = isCloseOnly ? closeOnlyFinding(command, market) : undefined
    const finding = refused ?? checkCommand(command, market)
    return finding === undefined ? [] : [{ ...finding, command: index }]
  })
}

function checkCommand(command: Command, market: Market): Finding | undefined {
  switch (command.type) {
    case 'market':
      return checkOrder(command, market) ?? checkTypes(['market'], market)
    case 'limit':
      return (
        checkOrder(command, market) ?? checkPrices([command.price], market) ?? checkTypes(['limit'], market)
      )
    case 'stopOrder':
      return (
        checkOrder(command, market) ??
        checkPrices([command.price, command.limitPrice], market) ??
        checkTriggers([command.trigger], market) ??
        checkTypes([stopTypeOf(command)], market)
      )
    case 'stopOrTakeProfit': {
      const { trigger } = command
      const sl = command.sl && [command.slTrigger ?? trigger]
      const tp = command.tp && [command.tpTrigger ?? trigger]
      return (
        checkOrder(command, market) ??
        checkPrices([command.sl, command.tp], market) ??
        checkTriggers([...(sl ?? []), ...(tp ?? [])], market) ??
        checkTypes(halfTypesOf(command), market)
      )
    }
    case 'oneCancelsOther':
      return checkLegs(command, market)
    case 'exchangeSettings':
      return checkSettings(command, market)
    default:
      return undefined
  }
}

type OrderSettings = Pick<
  Extract<Command, { type: 'market' }>,
  'reduceOnly' | 'positionSide' | 'amount' | 'position'
>

function checkOrder(
  { reduceOnly, positionSide, amount, position }: OrderSettings,
  market: Market,
): Finding | undefined {
  const { features } = market
  const coin = strangeCoin(amount, market) ?? strangeCoin(position, market)
  if (coin !== undefined) return { code: 'E303', message: `${coin} is no coin of ${market.symbol}` }
  if (reduceOnly === true && !features.reduceOnly) {
    return notHere('reduceOnly', market, 'there are no positions that could be reduced')
  }
  if (positionSide === undefined || positionSide === 'both' || features.hedge) return undefined
  return {
    code: 'E405',
    message: `positionSide=${positionSide} needs positions held apart, ${market.kind} has none`,
  }
}

/** The coin of an amount, where it is none that the market trades. */
function strangeCoin(amount: Amount | undefined, { base, quote }: Market): string | undefined {
  const coin = amount?.basis === 'asset' ? amount.coin : undefined
  return coin === base || coin === quote ? undefined : coin
}

/** Refuses prices from the entry where the venue has no entry price. */
function checkPrices(prices: readonly (Price | undefined)[], market: Market): Finding | undefined {
  if (market.kind !== 'spot') return undefined
  if (!prices.some((price) => price?.basis === 'entry')) return undefined
  return notHere(
    'a price from the entry',
    market,
    'no entry price is stored; write it from the market, such as 1%',
  )
}

type Trigger = NonNullable<Extract<Command, { type: 'stopOrder' }>['trigger']>

function checkTriggers(asked: readonly (Trigger | undefined)[], market: Market): Finding | undefined {
  const { conditional, triggers } = market.features
  if (!conditional) return notHere('an order with a trigger', market, 'the exchange does not take it')
  const missing = asked
    .map((trigger) => trigger ?? defaultTrigger(market))
    .find((trigger) => !triggers.includes(trigger))
  return missing && notHere(`trigger=${missing}`, market, `it triggers by ${triggers.join(' or ')}`)
}

/** Whether the exchange takes these kinds of order, where it says which it takes. */
function checkTypes(types: readonly OrderType[], market: Market): Finding | undefined {
  const taken = market.features.types
  const missing = types.find((type) => taken !== undefined && !taken.includes(type))
  return missing && notHere(`an order of the kind ${missing}`, market, 'the exchange does not take it')
}

function halfTypesOf({
  sl,
  slLimitOffset,
  tp,
  tpType,
}: Extract<Command, { type: 'stopOrTakeProfit' }>): OrderType[] {
  const stop = slLimitOffset === undefined ? 'stop' : 'stopLimit'
  const takeProfit = tpType === 'limit' ? 'takeProfitLimit' : 'takeProfit'
  return [
    ...(sl === undefined ? [] : ([stop] as const)),
    ...(tp === undefined ? [] : ([takeProfit] as const)),
  ]
}

function checkLegs(
  command: Extract<Command, { type: 'oneCancelsOther' }>,
  market: Market,
): Finding | undefined {
  for (const leg of command.legs) {
    const finding = checkCommand(leg, market)
    if (finding !== undefined) return finding
  }
  return checkGroup(command.legs, market) ?? checkTurns(command, market)
}

/** Orders of which one ends the others: where an order locks coins, a pair managed by the venue, or of which it has one. */
function checkGroup(legs: readonly LegCommand[], market: Market): Finding | undefined {
  if (market.kind === 'linear') return undefined
  const feature = `oneCancelsOther of ${legs.length} orders`
  if (legs.length !== 2) return notHere(feature, market, 'orders lock coins here, so there are pairs only')
  const [one, other] = legs as [LegCommand, LegCommand]
  const isPair = one.type !== other.type && !saysOther(one.side, other.side) && !areOtherAmounts(one, other)
  return isPair ? undefined : { code: 'E404', message: noPair }
}

function saysOther<T>(one: T | undefined, other: T | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other
}

/** True for amounts that are counted alike and differ, whatever they come to. */
function areOtherAmounts({ amount: one }: LegCommand, { amount: other }: LegCommand): boolean {
  const areAlike = one?.basis === other?.basis && one?.coin === other?.coin
  return areAlike && one !== undefined && other !== undefined && !isZero(subtract(one.value, other.value))
}

/** Checks parameters of a pair where the venue has one order at a time. */
function checkTurns(
  { legs, onPartial = 'reduce' }: Extract<Command, { type: 'oneCancelsOther' }>,
  market: Market,
): Finding | undefined {
  if (market.kind === 'linear' || market.features.nativeOco) return undefined
  if (onPartial !== 'reduce') {
    return notHere(
      `onPartial=${onPartial}`,
      market,
      'the coins of a pair are the same, one order is for what the other left',
    )
  }
  if (!legs.some((leg) => leg.type === 'limit' && leg.postOnly === true)) return undefined
  return notHere(
    'postOnly in a pair',
    market,
    'the limit is sent once its price is reached, and trades at once',
  )
}

function checkSettings(
  { leverage, marginMode, positionMode, maxOrderSize }: Extract<Command, { type: 'exchangeSettings' }>,
  market: Market,
): Finding | undefined {
  const { features, maxLeverage, symbol } = market
  if (maxOrderSize !== undefined) {
    return notHere('maxOrderSize', market, 'the most an order may be is set with the bot')
  }
  if (leverage !== undefined && !features.leverage) return notHere('leverage', market, 'nothing is borrowed')
  if (marginMode !== undefined && !features.leverage)
    return notHere('marginMode', market, 'there is no margin')
  if (positionMode !== undefined && !features.hedge) {
    return notHere('positionMode', market, 'there are no positions')
  }
  if (leverage === undefined || maxLeverage === undefined || !isGreater(leverage, maxLeverage))
    return undefined
  return { code: 'E310', message: `leverage ${leverage} is above ${maxLeverage}, the most for ${symbol}` }
}

function notHere(feature: string, { symbol, kind }: Market, why: string): Finding {
  const where = kind === 'spot' ? 'spot' : 'futures'
  return { code: 'E404', message: `${feature} is not available for ${symbol} on ${where}: ${why}` }
}
