import { power } from './fixed.ts'
import { type Market, VALUE_SCALE } from './market.ts'

/** What a market costs now: bid and ask in the market's prices, mark and index with eight places. */
export type Quote = Readonly<{ bid: bigint; ask: bigint; mark: bigint; index: bigint }>

/** A quote whose mark and index lie between bid and ask unless they are given. */
export function quoteFrom(market: Market, bid: bigint, ask: bigint, mark?: bigint, index?: bigint): Quote {
  const middle = ((bid + ask) * power(VALUE_SCALE - market.pricePrecision)) / 2n
  return { bid, ask, mark: mark ?? middle, index: index ?? mark ?? middle }
}

/** The quote of a market nobody has pinned. */
export function defaultQuote(market: Market): Quote {
  return quoteFrom(market, market.bid, market.ask)
}
