import type { Market, MarketId } from '../../domain/market.ts'
import type { Side } from '../../domain/order.ts'
import type { Exchange } from '../../exchange.ts'

/** One trade of a market, as everybody sees it. */
export type Trade = Readonly<{ id: number; price: bigint; quantity: bigint; takerSide: Side; at: number }>

/** A market's record since the venue started: its latest trades, and a number that grows with each change. */
export type Tape = Readonly<{
  trades: (market: Market) => readonly Trade[]
  /** Names the state of the book: a change of prices, orders or trades gives the next number. */
  updateId: (market: MarketId) => number
}>

const KEPT_TRADES = 1_000
const FIRST_UPDATE = 1_000_000

/** Follows the exchange from now on. */
export function createTape(exchange: Exchange): Tape {
  const trades = new Map<MarketId, Trade[]>()
  const updates = new Map<MarketId, number>()
  const updateId = (market: MarketId) => updates.get(market) ?? FIRST_UPDATE
  exchange.subscribe((event) => {
    if (event.kind === 'account' || event.kind === 'list' || event.kind === 'funding') return
    const market = event.kind === 'order' ? event.order.market : event.market.id
    if (!market.startsWith('binance-futures:')) return
    updates.set(market, updateId(market) + 1)
    if (event.kind !== 'trade') return
    const { id, price, quantity, takerSide, at } = event
    const recorded = trades.get(market) ?? []
    recorded.push({ id, price, quantity, takerSide, at })
    if (recorded.length > KEPT_TRADES) recorded.shift()
    trades.set(market, recorded)
  })
  return { trades: ({ id }) => trades.get(id) ?? [], updateId }
}
