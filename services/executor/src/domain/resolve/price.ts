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
import type { AccountReading } from '../account/account.ts'
import type { Market } from '../order/market.ts'
import type { Warning } from '../order/order.ts'
import type { Side } from '../order/side.ts'
import { type Denial, denied, noPrice } from '../sizing/basis.ts'

/** Purpose of a price: it gives the direction away from the market, and the rounding. */
export type Purpose = 'limit' | 'stop' | 'takeProfit'

/** Context of a price. */
export interface Pricing {
  side: Side
  purpose: Purpose
  market: Market
  reading: AccountReading
  /** It shrinks what is held, such as a stop that is drawn up behind a price that has doubled. */
  protects?: boolean
  /** The price that the market has when this one begins to count, where that is not now: the trigger of a stop-limit. */
  comesAt?: string
}

/** A price on the market's tick, with its arithmetic where it is not what was written. */
export interface Priced {
  price: string
  words: string | undefined
  /** Says so where it is far from the market: a warning for what waits there, and a refusal for what would not. */
  far?: string
}

/** The price that was meant; refused where it is none, or a distance that was probably meant as a price. */
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
  const far = farFrom(pricing.comesAt ?? reference, price, rounded, pricing)
  const denial = slipDenial(price, rounded, far) ?? rangeDenial(rounded, market)
  if (denial !== undefined) return denial
  return { price: rounded, words: wordsOf(price, from, rounded, market), ...(far !== undefined && { far }) }
}

function wordsOf(price: Price, from: string, rounded: string, { priceTick }: Market): string | undefined {
  if (price.basis !== 'absolute') return `${written(price)} from ${from} = ${rounded}`
  const isOnTick = isZero(subtract(rounded, price.value))
  return isOnTick ? undefined : `${price.value} on a tick of ${priceTick} = ${rounded}`
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

/** The refusal of a price that no order of the market may have; beyond it no trigger is ever reached. */
function rangeDenial(price: string, { symbol, priceRange = {} }: Market): Denial | undefined {
  const { lowest, highest } = priceRange
  if (highest !== undefined && isGreater(price, highest)) {
    return denied('E508', `${price} is above ${highest}, the highest price of ${symbol}`)
  }
  if (lowest !== undefined && isLess(price, lowest)) {
    return denied('E508', `${price} is below ${lowest}, the lowest price of ${symbol}`)
  }
  return undefined
}

/** The refusal of a limit price outside the venue's range or band, if it is known to be; else the venue judges. */
export function bandDenial(price: string, { side, market, reading }: Pricing): Denial | undefined {
  const outOfRange = rangeDenial(price, market)
  if (outOfRange !== undefined) return outOfRange
  const { priceBand } = market
  const { bandPrice = reading.mark } = reading
  if (priceBand === undefined || bandPrice === null) return undefined
  const isBuy = side === 'buy'
  const subject = isBuy ? 'a buy' : 'a sale'
  const boundOf = (factor: string | undefined) => factor && multiply(bandPrice, factor)
  const highest = boundOf(isBuy ? priceBand.highest : priceBand.highestSale)
  const lowest = boundOf(isBuy ? priceBand.lowestBuy : priceBand.lowest)
  if (highest !== undefined && isGreater(price, highest)) {
    return denied('E508', `${price} is above ${highest}, the highest ${subject} may be priced now`)
  }
  if (lowest !== undefined && isLess(price, lowest)) {
    return denied('E508', `${price} is below ${lowest}, the lowest ${subject} may be priced now`)
  }
  return undefined
}

/**
 * The refusal of a limit price behind a trigger that is outside the band now, and outside that of the trigger, by which the
 * venue judges it (-4183 and -4184 of Binance's futures: "stop price multiplier cap", "floor").
 */
export function bandDenialBehind(trigger: string, price: string, pricing: Pricing): Denial | undefined {
  const atTrigger = { ...pricing.reading, bandPrice: trigger }
  return bandDenial(price, pricing) && bandDenial(price, { ...pricing, reading: atTrigger })
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
 * Returns a price's distance from the market, where that is further than most mean. Prices measured from the entry lie
 * where the position was opened, and protective ones may lie far behind the market.
 */
function farFrom(
  reference: string,
  { basis, value }: Price,
  price: string,
  { protects = false }: Pricing,
): string | undefined {
  if (basis === 'entry') return undefined
  const isWide = protects && basis !== 'offset'
  if (!(isWide ? isOfAnotherOrder(price, reference) : isFar(price, reference))) return undefined
  const where = `${price} is ${isWide ? 'ten times off' : 'more than 50% from'} the market at ${reference}`
  if (basis !== 'absolute') return where
  return `${where}; a bare number is a price, a distance is written as offset=${value}`
}

/** The refusal of what can be no price, and of a distance that is the price where another product would have it. */
function slipDenial({ basis, value, percent }: Price, price: string, far?: string): Denial | undefined {
  if (basis === 'offset' && !percent && far !== undefined) {
    return denied('E508', `${far}; did you mean @${absolute(value)}?`)
  }
  return isGreater(price, '0') ? undefined : denied('E508', `${price} is no price: it has to be above zero`)
}

/** The warning of an order that waits far from the market. */
export function farWarnings(...prices: (Priced | undefined)[]): Warning[] {
  return prices.flatMap((priced) => (priced?.far === undefined ? [] : { code: 'W707', text: priced.far }))
}

function written({ basis, value, percent }: Price): string {
  return `${basis === 'entry' ? 'e' : ''}${value}${percent ? '%' : ''}`
}
