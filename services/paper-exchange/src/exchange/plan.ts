import type { HouseDepth } from '../domain/house.ts'
import type { Order, Side } from '../domain/order.ts'
import { type Plan, planTake } from '../domain/plan.ts'
import type { Entry } from '../store/ledger.ts'
import { ordersOfMarket, remainingOf } from './market-orders.ts'
import type { Floor } from './run.ts'

const UNTOUCHED: ReadonlyMap<bigint, bigint> = new Map()

/** Returns the order's matches now, with this much of the house's levels eaten already. */
export function planFor(
  floor: Floor,
  entry: Entry,
  order: Order,
  quantity: bigint,
  eaten = UNTOUCHED,
): Plan<Entry> {
  const { market, book } = ordersOfMarket(floor.markets, order.market)
  const { side } = order
  // An order by value has a quantity as soon as it is known what the value buys.
  const value = order.quantity === 0n ? order.quoteQuantity : undefined
  const limit = order.type === 'limit' ? order.price : undefined
  const house = without(floor.board.house(market.id), side, eaten)
  return planTake(market, book, house, { owner: entry, side, limit, quantity, value }, remainingOf)
}

function without(house: HouseDepth, side: Side, eaten: ReadonlyMap<bigint, bigint>): HouseDepth {
  if (eaten.size === 0) return house
  const levels = side === 'buy' ? house.asks : house.bids
  const left = levels
    .map(({ price, quantity }) => ({ price, quantity: quantity - (eaten.get(price) ?? 0n) }))
    .filter(({ quantity }) => quantity > 0n)
  return side === 'buy' ? { ...house, asks: left } : { ...house, bids: left }
}
