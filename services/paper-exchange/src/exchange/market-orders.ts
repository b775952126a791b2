import type { HouseDepth } from '../domain/house.ts'
import { createLadder, dequeue, enqueue, type Ladder, pricesOf, queueAt } from '../domain/ladder.ts'
import { type Market, type MarketId, marketOf } from '../domain/market.ts'
import { isOpen, type Order, remaining } from '../domain/order.ts'
import { type Book, standingLevels } from '../domain/plan.ts'
import type { Level } from '../domain/quote.ts'
import type { TriggerBy } from '../domain/trigger.ts'
import { type Entry, everyEntry, type Ledger } from '../store/ledger.ts'

type Waiting = Readonly<{ rises: Ladder<Entry>; falls: Ladder<Entry> }>

/** Everything that rests or waits in one market. */
export type MarketOrders = Readonly<{
  market: Market
  book: Book<Entry>
  triggers: Readonly<Record<TriggerBy, Waiting>>
  /** Orders whose trigger follows the price, by id. */
  trailing: Map<number, Entry>
}>

/** The orders of all markets, made when they are first asked for. */
export type MarketOrdersById = Map<MarketId, MarketOrders>

function waiting(): Waiting {
  return { rises: createLadder('lowest'), falls: createLadder('highest') }
}

/** Returns the orders of a market. */
export function ordersOfMarket(markets: MarketOrdersById, id: MarketId): MarketOrders {
  const known = markets.get(id)
  if (known) return known
  const orders: MarketOrders = {
    market: marketOf(id),
    book: { buy: createLadder('highest'), sell: createLadder('lowest') },
    triggers: { last: waiting(), mark: waiting(), index: waiting() },
    trailing: new Map(),
  }
  markets.set(id, orders)
  return orders
}

type Shelf = Readonly<{ ladder: Ladder<Entry>; price: bigint; rank: number }>

// Returns the shelf of an order: in the book once it has a rank, at its trigger while it waits.
function shelfOf(orders: MarketOrders, order: Order): Shelf | undefined {
  const { status, side, price, rank, trigger } = order
  if (status === 'open' && rank !== undefined) return { ladder: orders.book[side], price, rank }
  if (status !== 'untriggered' || !trigger || trigger.trailing) return undefined
  return { ladder: orders.triggers[trigger.by][trigger.when], price: trigger.price, rank: 0 }
}

/** Moves an order from where its former version stood to where it stands now. */
export function shelve(orders: MarketOrders, entry: Entry, before: Order | undefined, order: Order): void {
  if (order.trigger?.trailing) {
    if (order.status === 'untriggered') orders.trailing.set(order.id, entry)
    else orders.trailing.delete(order.id)
  }
  const from = before && shelfOf(orders, before)
  const to = shelfOf(orders, order)
  if (from && to && from.ladder === to.ladder && from.price === to.price && from.rank === to.rank) return
  if (from) dequeue(from.ladder, from.price, order.id)
  if (to) enqueue(to.ladder, to.price, order.id, entry)
}

/** Desks with every open order of the ledger in its place: priorities are as they were. */
export function marketOrdersFrom(ledger: Ledger): MarketOrdersById {
  const markets: MarketOrdersById = new Map()
  const open = everyEntry(ledger).flatMap((entry) =>
    [...entry.orders.values()].filter(isOpen).map((order) => ({ entry, order })),
  )
  open.sort((a, b) => (a.order.rank ?? 0) - (b.order.rank ?? 0) || a.order.id - b.order.id)
  for (const { entry, order } of open) shelve(ordersOfMarket(markets, order.market), entry, undefined, order)
  return markets
}

/** Returns the rest of a resting order. */
export function remainingOf(id: number, entry: Entry): bigint {
  const order = entry.orders.get(id)
  return order ? remaining(order) : 0n
}

/** Returns the levels that may be bought and sold, best first. */
export function depthOf(orders: MarketOrders, house: HouseDepth) {
  return {
    bids: joined(orders.book.buy, standingLevels(orders.book, house, 'sell'), (a, b) => a > b),
    asks: joined(orders.book.sell, standingLevels(orders.book, house, 'buy'), (a, b) => a < b),
  }
}

function joined(
  ladder: Ladder<Entry>,
  house: readonly Level[],
  isBefore: (a: bigint, b: bigint) => boolean,
): Level[] {
  const sums = new Map<bigint, bigint>()
  for (const price of pricesOf(ladder)) {
    let sum = 0n
    for (const [id, entry] of queueAt(ladder, price)) sum += remainingOf(id, entry)
    sums.set(price, sum)
  }
  for (const { price, quantity } of house) sums.set(price, (sums.get(price) ?? 0n) + quantity)
  const levels = [...sums].map(([price, quantity]) => ({ price, quantity }))
  return levels.sort((a, b) => (isBefore(a.price, b.price) ? -1 : 1))
}
