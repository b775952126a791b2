import { finePrice, floorToTick, type Market } from './market.ts'
import type { TriggerBy } from './trigger.ts'

/**
 * A market's prices now: bid, ask and last in the market's prices, mark, index and rate of funding with eight places.
 */
export type Quote = Readonly<{
  bid: bigint
  ask: bigint
  last: bigint
  mark: bigint
  index: bigint
  fundingRate: bigint
}>

/** Prices with eight places, the same for every market of a symbol. */
export type Prices = Readonly<{ bid: bigint; ask: bigint; last?: bigint; mark?: bigint; index?: bigint }>

/** A price and what may be had of it. */
export type Level = Readonly<{ price: bigint; quantity: bigint }>

type Extras = Readonly<{ last?: bigint | undefined; mark?: bigint | undefined; index?: bigint | undefined }>

// The interest alone (0.01 %), which is the rate where a market stands at its index.
const USUAL_FUNDING_RATE = 10_000n

/** A quote whose last, mark and index lie between bid and ask unless they are given. */
export function quoteFrom(market: Market, bid: bigint, ask: bigint, extras: Extras = {}): Quote {
  const middle = finePrice(market, bid + ask) / 2n
  const mark = extras.mark ?? middle
  const last = extras.last ?? floorToTick(market, middle)
  return { bid, ask, last, mark, index: extras.index ?? mark, fundingRate: USUAL_FUNDING_RATE }
}

/** The quote of a market nobody has pinned. */
export function defaultQuote(market: Market): Quote {
  return quoteFrom(market, market.bid, market.ask)
}

/** The price a trigger watches, with eight places. */
export function watched(market: Market, quote: Quote, by: TriggerBy): bigint {
  return by === 'last' ? finePrice(market, quote.last) : quote[by]
}
