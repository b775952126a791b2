import type { MarketId } from '../../domain/market.ts'
import type { Side } from '../../domain/order.ts'
import type { Exchange } from '../../exchange.ts'

/** A trade as everybody sees it. */
export type PublicTrade = Readonly<{
  id: number
  price: bigint
  quantity: bigint
  takerSide: Side
  at: number
}>

/** The latest trades of each market, newest first. */
export type Tape = Readonly<{ of: (market: MarketId) => readonly PublicTrade[] }>

// As many as the venue gives at once.
const MAX_TRADES = 1_000

/** Remembers the trades of the exchange from now on. */
export function createTape(exchange: Exchange): Tape {
  const trades = new Map<MarketId, PublicTrade[]>()
  exchange.subscribe((event) => {
    if (event.kind !== 'trade') return
    const { market, id, price, quantity, takerSide, at } = event
    const known = trades.get(market.id) ?? []
    if (known.length === 0) trades.set(market.id, known)
    known.unshift({ id, price, quantity, takerSide, at })
    if (known.length > MAX_TRADES) known.pop()
  })
  return { of: (market) => trades.get(market) ?? [] }
}
