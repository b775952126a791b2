import {
  absolute,
  add,
  ceilToStep,
  divide,
  floorToStep,
  isGreater,
  isLess,
  isZero,
  multiply,
  nearestToStep,
  negate,
  subtract,
} from '@tripline/proto/decimal'
import type { Price } from '@tripline/proto/language/tree'
import type { AccountReading } from '../account.ts'
import type { Market } from '../market.ts'
import type { Side } from '../side.ts'
import { type Denial, denied, noPrice } from '../sizing-basis.ts'

/** What a price is for: it says which way is away from the market, and how it is rounded. */
export type Purpose = 'limit' | 'stop' | 'takeProfit'

/** Where a price is asked for. */
export interface Pricing {
  side: Side
  purpose: Purpose
  market: Market
  reading: AccountReading
  /** It shrinks what is held, such as a stop that is drawn up behind a price that has doubled. */
  protects?: boolean
}

/** A price on the market's tick, with its arithmetic where it is not what was written. */
export interface Priced {
  price: string
  words: string | undefined
}

/** The price that was meant; refused where it is further from the market than anybody means. */
export function resolvePrice(price: Price, pricing: Pricing): Priced | Denial {
  const { market, reading } = pricing
  const reference = referenceOf(pricing)
  if (isZero(reference)) return noPrice(market)
  if (price.basis === 'entry' && reading.entryPrice === null) {
    return denied('E512', `${market.symbol} has no position, and so no entry price`)
  }
  const from = price.basis === 'entry' ? (reading.entryPrice ?? reference) : reference
  const exact = price.basis === 'absolute' ? price.value : add(from, distance(price, from, pricing))
  const rounded = roundPrice(exact, pricing)
  const far = tooFar(price, rounded, reference, pricing)
  if (far !== undefined) return far
  if (price.basis !== 'absolute')
    return { price: rounded, words: `${written(price)} from ${from} = ${rounded}` }
  const isOnTick = isZero(subtract(rounded, price.value))
  return {
    price: rounded,
    words: isOnTick ? undefined : `${price.value} on a tick of ${market.priceTick} = ${rounded}`,
  }
}

/** A price measured from another one, away from the market: where a stop's limit lies behind its trigger. */
export function resolveOffsetFrom(trigger: string, offset: Price, pricing: Pricing): Priced {
  const exact =
    offset.basis === 'absolute'
      ? offset.value
      : add(trigger, distance(offset, trigger, { ...pricing, purpose: 'stop' }))
  const price = roundPrice(exact, { ...pricing, purpose: 'limit' })
  return { price, words: `${written(offset)} from the trigger ${trigger} = ${price}` }
}

/** The refusal of a limit price outside the venue's band, if it is known to be; else the venue judges. */
export function bandDenial(price: string, { side, market, reading }: Pricing): Denial | undefined {
  const { priceBand } = market
  const { bandPrice = reading.mark } = reading
  if (priceBand === undefined || bandPrice === null) return undefined
  const isBuy = side === 'buy'
  const what = isBuy ? 'a buy' : 'a sale'
  const boundOf = (factor: string | undefined) => factor && multiply(bandPrice, factor)
  const highest = boundOf(isBuy ? priceBand.highest : priceBand.highestSale)
  const lowest = boundOf(isBuy ? priceBand.lowestBuy : priceBand.lowest)
  if (highest !== undefined && isGreater(price, highest)) {
    return denied('E508', `${price} is above ${highest}, the highest ${what} may be priced now`)
  }
  if (lowest !== undefined && isLess(price, lowest)) {
    return denied('E508', `${price} is below ${lowest}, the lowest ${what} may be priced now`)
  }
  return undefined
}

/** The arithmetic of an order's prices, where there was any. */
export function pricingWords(...prices: (Priced | undefined)[]): { pricing?: string } {
  const words = prices.flatMap((priced) => priced?.words ?? [])
  return words.length === 0 ? {} : { pricing: words.join('; ') }
}

/** Limits and take profits are measured from their own side of the book, stops from the other. */
function referenceOf({ side, purpose, reading }: Pricing): string {
  const isOwnSide = purpose !== 'stop'
  return (side === 'buy') === isOwnSide ? reading.bid : reading.ask
}

function distance(price: Price, from: string, pricing: Pricing): string {
  const value = price.percent ? divide(multiply(from, price.value), '100') : price.value
  return price.basis === 'relative' || isAboveMarket(pricing) ? value : negate(value)
}

/** Away from the market is above it for what sells high and for stops that buy. */
function isAboveMarket({ side, purpose }: Pricing): boolean {
  return purpose === 'stop' ? side === 'buy' : side === 'sell'
}

function roundPrice(exact: string, { side, purpose, market }: Pricing): string {
  const isTrigger = purpose === 'stop' || purpose === 'takeProfit'
  if (isTrigger) return nearestToStep(exact, market.priceTick)
  return side === 'buy' ? floorToStep(exact, market.priceTick) : ceilToStep(exact, market.priceTick)
}

function isFar(price: string, reference: string): boolean {
  return isGreater(multiply(absolute(subtract(price, reference)), '2'), reference)
}

/** True for a price that is no tenth of another, or more than ten times of it. */
function isOfAnotherOrder(price: string, reference: string): boolean {
  return isLess(multiply(price, '10'), reference) || isGreater(price, multiply(reference, '10'))
}

/**
 * The refusal of a price that is taken for a slip, if it is. What is measured from the entry lies where the position
 * was opened, and what protects may lie far behind the market: that is none as long as it can be a price at all.
 */
function tooFar(
  { basis, value, percent }: Price,
  price: string,
  reference: string,
  { protects = false }: Pricing,
): Denial | undefined {
  if (basis === 'entry') {
    return isGreater(price, '0') ? undefined : denied('E508', `${price} is no price: it has to be above zero`)
  }
  const isWide = protects && basis !== 'offset'
  if (!(isWide ? isOfAnotherOrder(price, reference) : isFar(price, reference))) return undefined
  const where = `${price} is ${isWide ? 'ten times off' : 'more than 50% from'} the market at ${reference}`
  if (basis === 'absolute') {
    return denied('E508', `${where}; a bare number is a price, a distance is written as offset=${value}`)
  }
  return denied('E508', percent ? where : `${where}; did you mean @${absolute(value)}?`)
}

function written({ basis, value, percent }: Price): string {
  return `${basis === 'entry' ? 'e' : ''}${value}${percent ? '%' : ''}`
}
