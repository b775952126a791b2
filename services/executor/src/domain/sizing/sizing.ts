import {
  absolute,
  ceilToStep,
  divide,
  floorToStep,
  isGreater,
  isLess,
  isNegative,
  isZero,
  least,
  plain,
  subtract,
} from '@tripline/proto/decimal'
import type { Amount, MarketCommand } from '@tripline/proto/language/tree'
import { type AccountReading, asRead } from '../account/account.ts'
import { isExit, reduces } from '../account/position.ts'
import type { Market } from '../order/market.ts'
import type { Side } from '../order/side.ts'
import {
  countsBase,
  countsQuote,
  type Denial,
  denied,
  noCoinOf,
  noPrice,
  type OrderSize,
  percentOf,
  restOrDenial,
  type Size,
  written,
} from './basis.ts'
import { cappedToFree, sizeSpot } from './spot.ts'

/** True when the size cannot be known without the account and the market's price. */
export function needsReading(command: MarketCommand, market: Market): boolean {
  if (command.position !== undefined || command.amount === undefined) return true
  return !countsBase(command.amount, market) && !spendsQuote(command, market)
}

/** Amount of any command: a side and an amount, or a target position. */
export type Sizing = Pick<MarketCommand, 'side' | 'amount' | 'position' | 'reduceOnly'>

/**
 * The size of a command at its limit or trigger price, or without one at what the market asks. The reading may be
 * absent only where `needsReading` says so.
 */
export function sizeOrder(
  command: Sizing,
  market: Market,
  reading: AccountReading | undefined,
  price?: string,
): Size {
  if (command.position !== undefined) {
    if (reading === undefined) return denied('E208', 'a target position needs the position to be known')
    return withinLimits(sizeToTarget(command, command.position, market, reading), market)
  }
  const { side, amount } = command
  if (side === undefined || amount === undefined) return denied('E208', 'side and amount are required')
  if (market.kind === 'spot') return withinLimits(sizeSpot(side, amount, market, reading, price), market)
  const size = sizeAmount(side, amount, command.reduceOnly ?? false, market, reading, price)
  return withinLimits(size, market)
}

/** True for a spot buy by value: the request names the amount to spend, and the venue calculates the quantity. */
function spendsQuote({ side, amount }: MarketCommand, market: Market): boolean {
  return market.kind === 'spot' && side === 'buy' && amount !== undefined && countsQuote(amount, market)
}

function sizeAmount(
  side: Side,
  amount: Amount,
  reduceOnly: boolean,
  market: Market,
  reading: AccountReading | undefined,
  ownPrice: string | undefined,
): Size {
  if (countsBase(amount, market)) {
    const quantity = floorToStep(amount.value, market.quantityStep)
    return order(side, quantity, reduceOnly, `${amount.value} ${market.base}`)
  }
  if (reading === undefined) return denied('E208', 'this size needs the account to be known')
  const { position } = reading
  if (amount.basis === 'percentPosition' || (amount.basis === 'percent' && reduces(side, position))) {
    return sizeOfPosition(side, amount, reduceOnly, market, position)
  }
  const worth = worthOf(amount, reading)
  if (worth === undefined || (amount.basis === 'asset' && amount.coin !== market.quote)) {
    return noCoinOf(market, amount)
  }
  const price = ownPrice ?? (side === 'buy' ? reading.ask : reading.bid)
  if (isZero(price)) return noPrice(market)
  const quantity = floorToStep(divide(worth, price), market.quantityStep)
  const sizing = `${written(amount)} = ${worth} ${market.quote} at ${price} = ${quantity} ${market.base}`
  return order(side, quantity, reduceOnly, sizing)
}

function sizeOfPosition(
  side: Side,
  amount: Amount,
  reduceOnly: boolean,
  market: Market,
  position: string,
): Size {
  const held = absolute(position)
  if (isZero(held)) return { size: 'nothing', code: 'N802', note: `${market.symbol} is flat` }
  const share = percentOf(held, amount.value)
  const shrinks = reduces(side, position)
  // Rounded up where it shrinks, so that no crumb of the position stays; the position itself is the cap.
  const quantity = shrinks
    ? least(ceilToStep(share, market.quantityStep), held)
    : floorToStep(share, market.quantityStep)
  const sizing = `${amount.value}% of the position ${held} ${market.base} = ${quantity} ${market.base}`
  const sized = order(side, quantity, shrinks || reduceOnly, sizing)
  if (!shrinks || !isGreater(amount.value, '100')) return sized
  return {
    ...sized,
    capped: `${amount.value}% of the position is more than all of it, ${held} ${market.base}`,
  }
}

function sizeToTarget(
  { reduceOnly = false }: Sizing,
  target: Amount,
  market: Market,
  reading: AccountReading,
): Size {
  const wanted = targetQuantity(target, market, reading)
  if (typeof wanted !== 'string') return wanted
  const { position } = reading
  const difference = subtract(wanted, position)
  if (isZero(difference)) {
    return { size: 'nothing', code: 'N802', note: `the position is ${position} ${market.base} already` }
  }
  const side = isNegative(difference) ? 'sell' : 'buy'
  const quantity = floorToStep(absolute(difference), market.quantityStep)
  const sizing = `from ${plain(position)} to ${plain(wanted)} ${market.base} = ${side} ${plain(quantity)}`
  const closing = isZero(wanted) ? { closes: absolute(position) } : {}
  if (market.kind === 'spot') {
    const sized = { ...order(side, quantity, false, sizing), ...closing }
    // Closing is a share of what is held; a target above it says how much on its own.
    return side === 'sell' ? cappedToFree(sized, market, reading, undefined) : sized
  }
  return { ...order(side, quantity, reduceOnly || isExit(side, quantity, position), sizing), ...closing }
}

function targetQuantity(target: Amount, market: Market, reading: AccountReading): string | Denial {
  if (countsBase(target, market)) return floorToStep(target.value, market.quantityStep)
  if (target.basis === 'percentPosition') {
    return floorToStep(percentOf(reading.position, target.value), market.quantityStep)
  }
  const worth = worthOf(target, reading)
  if (worth === undefined || (target.basis === 'asset' && target.coin !== market.quote)) {
    return noCoinOf(market, target)
  }
  if (isZero(reading.mark)) return noPrice(market)
  // A position is valued at the mark, not at what it would cost to take.
  return floorToStep(divide(worth, reading.mark), market.quantityStep)
}

function worthOf(amount: Amount, reading: AccountReading): string | undefined {
  switch (amount.basis) {
    case 'percent':
    case 'percentEquity':
      return percentOf(asRead(reading.equity), amount.value)
    case 'percentAvailable':
      return percentOf(asRead(reading.available), amount.value)
    case 'quote':
    case 'asset':
      return amount.value
    default:
      return undefined
  }
}

function withinLimits(size: Size, market: Market): Size {
  if (size.size !== 'order' || size.quoteQuantity !== undefined) return size
  const { quantity } = size
  if (isZero(quantity)) {
    const error = `the size rounds to zero (${size.sizing}, step ${market.quantityStep})`
    return restOrDenial(size, market, denied('E501', error))
  }
  if (isLess(quantity, market.minQuantity)) {
    const error = `${plain(quantity)} is below the minimum quantity ${plain(market.minQuantity)}`
    return restOrDenial(size, market, denied('E502', error))
  }
  if (isGreater(quantity, market.maxQuantity)) {
    return denied('E503', `${plain(quantity)} is above the maximum quantity ${plain(market.maxQuantity)}`)
  }
  return size
}

function order(side: Side, quantity: string, reduceOnly: boolean, sizing: string): OrderSize {
  return { size: 'order', side, quantity, reduceOnly, sizing }
}
