import type { MarketId } from '../domain/market.ts'
import type { Level, Quote } from '../domain/quote.ts'

/** Where prices stand: enough to go on from there. */
export type QuotesState = Readonly<{
  step: number
  coins: Readonly<Record<string, Readonly<{ price: bigint; random: number }>>>
  pinned: Readonly<Record<string, Readonly<Record<string, bigint>>>>
  lasts: Readonly<Record<string, bigint>>
}>

/** The prices of all markets: pinned ones, else those of the price process. */
export type Quotes = Readonly<{
  of: (market: MarketId) => Quote
  /** What may be bought and sold now, best first: the house's and resting orders together. */
  depth: (market: MarketId) => Readonly<{ bids: readonly Level[]; asks: readonly Level[] }>
  isPinned: (symbol: string) => boolean
}>
