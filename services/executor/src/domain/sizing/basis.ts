import { divide, multiply } from '@tripline/proto/decimal'
import type { Amount } from '@tripline/proto/language/tree'
import type { Market } from '../order/market.ts'
import type { Side } from '../order/side.ts'

/** Why a command cannot be carried out now. */
export interface Denial {
  size: 'denied'
  code:
    | 'E208'
    | 'E303'
    | 'E310'
    | 'E404'
    | 'E405'
    | 'E501'
    | 'E502'
    | 'E503'
    | 'E504'
    | 'E505'
    | 'E506'
    | 'E507'
    | 'E508'
    | 'E509'
    | 'E510'
    | 'E511'
    | 'E512'
    | 'E514'
  error: string
}

/** The size of an order. */
export interface OrderSize {
  size: 'order'
  side: Side
  quantity: string
  /** Quote coin spent by a spot buy; its quantity is `0` then. */
  quoteQuantity?: string
  reduceOnly: boolean
  sizing: string
  /** Held quantity, where the order is to close all of it. */
  closes?: string
  /** Says so where it was to be more than there is, and was cut to that. */
  capped?: string
}

/** Nothing to do: it is so already (N802), what is left cannot be ordered here (N803), or an exit's entry is gone (N804). */
export interface NothingToSize {
  size: 'nothing'
  code: 'N802' | 'N803' | 'N804'
  note: string
}

/** Size of a command: an order's size, nothing to do, or why it cannot be. */
export type Size = OrderSize | NothingToSize | Denial

/** True when the amount is a quantity of the base coin. */
export function countsBase(amount: Amount, market: Market): boolean {
  return amount.basis === 'base' || (amount.basis === 'asset' && amount.coin === market.base)
}

/** True when the amount is a value in the quote coin. */
export function countsQuote(amount: Amount, market: Market): boolean {
  return amount.basis === 'quote' || (amount.basis === 'asset' && amount.coin === market.quote)
}

/** A percentage of the whole. */
export function percentOf(whole: string, percent: string): string {
  return divide(multiply(whole, percent), '100')
}

/** The amount in words. */
export function written(amount: Amount): string {
  switch (amount.basis) {
    case 'percent':
    case 'percentEquity':
      return `${amount.value}% of equity`
    case 'percentAvailable':
      return `${amount.value}% of what is available`
    default:
      return `a value of ${amount.value}`
  }
}

/** The denial of an amount in a coin that the market does not trade. */
export function noCoinOf(market: Market, amount: Amount): Denial {
  return denied('E303', `${amount.coin ?? amount.basis} is no coin of ${market.symbol}`)
}

/** The denial where a side of the book is empty, and then says 0. */
export function noPrice(market: Market): Denial {
  return denied('E514', `${market.symbol} has no price now`)
}

/** Returns a refused order's outcome: a rest below the least order is nothing to close, anything else is denied. */
export function restOrDenial(
  { closes, capped }: OrderSize,
  market: Market,
  denial: Denial,
): NothingToSize | Denial {
  // Locked coins could be ordered once they are free.
  if (closes === undefined || capped !== undefined) return denial
  const note = `what is left, ${closes} ${market.base}, is below the least order: ${denial.error}`
  return { size: 'nothing', code: 'N803', note }
}

/** A denial with our code. */
export function denied(code: Denial['code'], error: string): Denial {
  return { size: 'denied', code, error }
}
