import {
  divide,
  floorToStep,
  isGreater,
  isLess,
  isZero,
  multiply,
  notBelowZero,
  plain,
  subtract,
} from '@tripline/proto/decimal'
import type { Amount } from '@tripline/proto/language/tree'
import { type AccountReading, asRead, freeIn } from '../account/account.ts'
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
  type Size,
  written,
} from './basis.ts'

const quoteStep = '0.00000001'

/**
 * The size of an amount on spot, at its price or without one at the market's. Plain `%` is of the coin being spent:
 * quote for buys, base for sells.
 */
export function sizeSpot(
  side: Side,
  amount: Amount,
  market: Market,
  reading: AccountReading | undefined,
  price: string | undefined,
): Size {
  if (countsBase(amount, market)) {
    return sized(side, floorToStep(amount.value, market.quantityStep), `${amount.value} ${market.base}`)
  }
  if (side === 'buy' && countsQuote(amount, market))
    return spending(amount.value, written(amount), market, price)
  if (reading === undefined) return denied('E208', 'this size needs the account to be known')
  const size = sizeShare(side, amount, market, reading, price)
  const isShare = amount.basis.startsWith('percent')
  return isShare ? cappedToFree(size, market, reading, price) : size
}

/** No share of an account is more than what is free of the coin that is spent. */
export function cappedToFree(
  size: Size,
  market: Market,
  reading: AccountReading,
  price: string | undefined,
): Size {
  if (size.size !== 'order') return size
  const { side, quantity, quoteQuantity } = size
  const coin = side === 'buy' ? market.quote : market.base
  const free = side === 'sell' && price !== undefined ? unreserved(market, reading) : freeIn(reading, coin)
  const spent = side === 'sell' ? quantity : (quoteQuantity ?? multiply(quantity, price ?? '0'))
  if (!isGreater(spent, free)) return size
  if (isZero(free)) return denied('E506', `no ${coin} is free: ${size.sizing}`)
  const capped = `${spent} ${coin} is more than what is free, ${free} ${coin}`
  if (quoteQuantity !== undefined) return { ...size, quoteQuantity: floorToStep(free, quoteStep), capped }
  const most = side === 'sell' ? free : divide(free, price ?? '1')
  return { ...size, quantity: floorToStep(most, market.quantityStep), capped }
}

function sizeShare(
  side: Side,
  amount: Amount,
  market: Market,
  reading: AccountReading,
  price: string | undefined,
): Size {
  if (side === 'buy' && isOfAvailable(amount)) {
    const words = `${amount.value}% of the ${market.quote} available`
    return spending(percentOf(asRead(reading.available), amount.value), words, market, price)
  }
  if (side === 'sell' && isOfHeld(amount, price)) return sizeOfHeld(amount, market, reading)
  const held = heldShare(amount, market, reading, price)
  if (held !== undefined) {
    const quantity = floorToStep(held, market.quantityStep)
    return sized(side, quantity, `${amount.value}% of the ${heldWords(market, reading, price)} = ${quantity}`)
  }
  return sizeWorth(side, amount, market, reading, price)
}

/** A sale by a share of what is held. Nothing is to be closed where all of that is less than could be sold. */
function sizeOfHeld({ value }: Amount, market: Market, { position, bid }: AccountReading): Size {
  const { base, quantityStep, minQuantity, minNotional, minMarketNotional = minNotional } = market
  if (isZero(position)) return { size: 'nothing', code: 'N802', note: `there is no ${base} to sell` }
  const quantity = floorToStep(percentOf(position, value), quantityStep)
  const all = floorToStep(position, quantityStep)
  const isWorthLess = isLess(multiply(all, bid), minMarketNotional)
  const isRest = isZero(all) || isLess(all, minQuantity) || isWorthLess
  return {
    ...sized('sell', quantity, `${value}% of the ${base} held = ${quantity}`),
    ...((isRest || !isLess(value, '100')) && { closes: position }),
  }
}

/** A share of the held base coin, for a sale by percent; a sale at once also counts the coins that orders lock. */
function heldShare(
  amount: Amount,
  market: Market,
  reading: AccountReading,
  price: string | undefined,
): string | undefined {
  if (isOfHeld(amount, price)) return percentOf(reading.position, amount.value)
  if (!isOfAvailable(amount)) return undefined
  return percentOf(unreserved(market, reading), amount.value)
}

function heldWords(market: Market, reading: AccountReading, price: string | undefined): string {
  const reserved = subtract(reading.position, unreserved(market, reading))
  if (price === undefined || !isGreater(reserved, '0')) return `${market.base} held`
  return `${market.base} that is free, as open orders are to sell ${reserved},`
}

/** Returns what is free of the base coin, and not to be sold by a stop that the exchange locks nothing for. */
export function unreserved({ base }: Market, reading: AccountReading): string {
  return notBelowZero(subtract(freeIn(reading, base), reading.reserved ?? '0'))
}

function sizeWorth(
  side: Side,
  amount: Amount,
  market: Market,
  reading: AccountReading,
  ownPrice: string | undefined,
): Size {
  const worth = worthOf(amount, market, reading)
  if (typeof worth !== 'string') return worth
  if (side === 'buy') return spending(worth, written(amount), market, ownPrice)
  const price = ownPrice ?? reading.bid
  if (isZero(price)) return noPrice(market)
  const quantity = floorToStep(divide(worth, price), market.quantityStep)
  return sized(side, quantity, `${written(amount)} = ${worth} ${market.quote} at ${price} = ${quantity}`)
}

function worthOf(amount: Amount, market: Market, { equity }: AccountReading): string | Denial {
  if (amount.basis === 'percentEquity') return percentOf(asRead(equity), amount.value)
  return countsQuote(amount, market) ? amount.value : noCoinOf(market, amount)
}

function isOfHeld({ basis }: Amount, price: string | undefined): boolean {
  return basis === 'percentPosition' || (basis === 'percent' && price === undefined)
}

function isOfAvailable({ basis }: Amount): boolean {
  return basis === 'percent' || basis === 'percentAvailable'
}

/** The venue divides what a market order spends by its own prices; an order with a price is divided here. */
function spending(value: string, words: string, market: Market, price: string | undefined): Size {
  if (price !== undefined) {
    const quantity = floorToStep(divide(value, price), market.quantityStep)
    return sized('buy', quantity, `${words} = ${value} ${market.quote} at ${price} = ${quantity}`)
  }
  const quoteQuantity = floorToStep(value, quoteStep)
  if (isZero(quoteQuantity))
    return denied('E501', `the size rounds to zero (${words} = ${value} ${market.quote})`)
  const sizing = `${words} = ${plain(quoteQuantity)} ${market.quote} to spend`
  return { size: 'order', side: 'buy', quantity: '0', quoteQuantity, reduceOnly: false, sizing }
}

function sized(side: Side, quantity: string, sizing: string): OrderSize {
  return { size: 'order', side, quantity, reduceOnly: false, sizing }
}
