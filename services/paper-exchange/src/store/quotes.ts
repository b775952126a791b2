import { findMarket, MARKETS, marketOf } from '../domain/market.ts'
import { defaultQuote, type Quote } from '../domain/quote.ts'

/** The prices of all markets: pinned ones, else each market's own. */
export type Quotes = Readonly<{
  of: (symbol: string) => Quote
  pin: (symbol: string, quote: Quote) => void
  unpin: (symbol: string) => void
  isPinned: (symbol: string) => boolean
}>

/** Quotes of markets nobody has pinned yet. */
export function createQuotes(): Quotes {
  const defaults = new Map(MARKETS.map((market) => [market.symbol, defaultQuote(market)]))
  const pinned = new Map<string, Quote>()
  return {
    of: (symbol) => pinned.get(symbol) ?? defaults.get(symbol) ?? defaultQuote(marketOf(symbol)),
    pin: (symbol, quote) => {
      if (findMarket(symbol)) pinned.set(symbol, quote)
    },
    unpin: (symbol) => {
      pinned.delete(symbol)
    },
    isPinned: (symbol) => pinned.has(symbol),
  }
}
