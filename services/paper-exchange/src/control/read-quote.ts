import { z } from 'zod'
import { formatFixed, formatTrimmed, parseFixed } from '../domain/fixed.ts'
import { type Market, VALUE_SCALE } from '../domain/market.ts'
import { type Quote, quoteFrom } from '../domain/quote.ts'

const Prices = z.strictObject({
  bid: z.string(),
  ask: z.string(),
  mark: z.string().optional(),
  index: z.string().optional(),
})

/** The quote that a body pins, or why it cannot be one. */
export function readQuote(market: Market, body: unknown): Quote | { fault: string } {
  const read = Prices.safeParse(body)
  if (!read.success) return { fault: z.prettifyError(read.error) }
  const { bid, ask, mark, index } = read.data
  const [bidPrice, askPrice] = [onTick(market, bid), onTick(market, ask)]
  if (bidPrice === undefined || askPrice === undefined) {
    return {
      fault: `bid and ask must be prices above 0 on the tick ${formatFixed(market.tick, market.pricePrecision)}`,
    }
  }
  if (bidPrice > askPrice) return { fault: 'bid must not be above ask' }
  const [markPrice, indexPrice] = [fine(mark), fine(index)]
  if (markPrice === 0n || indexPrice === 0n) return { fault: 'mark and index must be prices above 0' }
  return quoteFrom(market, bidPrice, askPrice, markPrice, indexPrice)
}

/** A quote as texts. */
export function describeQuote(market: Market, quote: Quote) {
  return {
    symbol: market.symbol,
    bid: formatFixed(quote.bid, market.pricePrecision),
    ask: formatFixed(quote.ask, market.pricePrecision),
    mark: formatTrimmed(quote.mark, VALUE_SCALE),
    index: formatTrimmed(quote.index, VALUE_SCALE),
  }
}

function onTick(market: Market, text: string): bigint | undefined {
  const price = parseFixed(text, market.pricePrecision)
  return price !== undefined && price > 0n && price % market.tick === 0n ? price : undefined
}

// Zero stands for text that is no price, which zero is not either.
function fine(text: string | undefined): bigint | undefined {
  return text === undefined ? undefined : (parseFixed(text, VALUE_SCALE) ?? 0n)
}
