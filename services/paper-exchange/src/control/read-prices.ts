import { z } from 'zod'
import { formatFixed, formatTrimmed, parseFixed } from '../domain/fixed.ts'
import { type Market, VALUE_SCALE } from '../domain/market.ts'
import type { Prices, Quote } from '../domain/quote.ts'

// The price of a coin has to stay countable after it is rounded to a tick.
const MAX_PRICE = 10n ** BigInt(VALUE_SCALE + 9)

const Price = z.string().transform((text, context) => {
  const price = parseFixed(text, VALUE_SCALE)
  if (price !== undefined && price > 0n && price <= MAX_PRICE) return price
  context.addIssue(`"${text}" is no price: a decimal above 0 of at most ${VALUE_SCALE} places`)
  return z.NEVER
})

const PricesBody = z
  .strictObject({
    bid: Price,
    ask: Price,
    last: Price.optional(),
    mark: Price.optional(),
    index: Price.optional(),
  })
  .refine(({ bid, ask }) => bid <= ask, 'bid must not be above ask')

/** The prices that a body pins, with eight places, or why it cannot be done. */
export function readPrices(body: unknown): Prices | { fault: string } {
  const read = PricesBody.safeParse(body)
  if (!read.success) return { fault: z.prettifyError(read.error) }
  const { bid, ask, last, mark, index } = read.data
  return {
    bid,
    ask,
    ...(last !== undefined && { last }),
    ...(mark !== undefined && { mark }),
    ...(index !== undefined && { index }),
  }
}

/** The prices of a market as texts. */
export function describeQuote(market: Market, { bid, ask, last, mark, index }: Quote) {
  const priced = (price: bigint): string => formatFixed(price, market.pricePrecision)
  return {
    venue: market.venue,
    symbol: market.symbol,
    bid: priced(bid),
    ask: priced(ask),
    last: priced(last),
    mark: formatTrimmed(mark, VALUE_SCALE),
    index: formatTrimmed(index, VALUE_SCALE),
  }
}
