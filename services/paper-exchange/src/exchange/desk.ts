import type { HouseDepth } from '../domain/house.ts'
import { createLadder, dequeue, enqueue, type Ladder, pricesOf, queueAt } from '../domain/ladder.ts'
import { type Market, type MarketId, marketOf } from '../domain/market.ts'
import { isOpen, type Order, remaining, type TriggerBy } from '../domain/order.ts'
import { type Book, standingLevels } from '../domain/plan.ts'
import type { Level } from '../domain/quote.ts'
import { type Entry, everyEntry, type Ledger } from '../store/ledger.ts'

type Waiting = Readonly<{ rises: Ladder<Entry>; falls: Ladder<Entry> }>

/** Everything that rests or waits in one market. */
export type Desk = Readonly<{
  market: Market
  book: Book<Entry>
  triggers: Readonly<Record<TriggerBy, Waiting>>
  /** Orders whose trigger follows the price, by id. */
  trailing: Map<number, Entry>
}>

/** The desks of all markets, made when they are first asked for. */
export type Desks = Map<MarketId, Desk>

function waiting(): Waiting {
  return { rises: createLadder('lowest'), falls: createLadder('highest') }
}

/** The desk of a market. */
export function deskOf(desks: Desks, id: MarketId): Desk {
  const known = desks.get(id)
  if (known) return known
  const desk: Desk = {
    market: marketOf(id),
    book: { buy: createLadder('highest'), sell: createLadder('lowest') },
    triggers: { last: waiting(), mark: waiting(), index: waiting() },
    trailing: new Map(),
  }
  desks.set(id, desk)
  return desk
}

type Shelf = Readonly<{ ladder: Ladder<Entry>; price: bigint; rank: number }>

// Where an order stands: in the book once it has a rank, at its trigger while it waits.
function shelfOf(desk: Desk, order: Order): Shelf | undefined {
  const { status, side, price, rank, trigger } = order
  if (status === 'open' && rank !== undefined) return { ladder: desk.book[side], price, rank }
  if (status !== 'untriggered' || !trigger || trigger.trailing) return undefined
  return { ladder: desk.triggers[trigger.by][trigger.when], price: trigger.price, rank: 0 }
}

/** Moves an order from where its former version stood to where it stands now. */
export function shelve(desk: Desk, entry: Entry, before: Order | undefined, order: Order): void {
  if (order.trigger?.trailing) {
    if (order.status === 'untriggered') desk.trailing.set(order.id, entry)
    else desk.trailing.delete(order.id)
  }
  const from = before && shelfOf(desk, before)
  const to = shelfOf(desk, order)
  if (from && to && from.ladder === to.ladder && from.price === to.price && from.rank === to.rank) return
  if (from) dequeue(from.ladder, from.price, order.id)
  if (to) enqueue(to.ladder, to.price, order.id, entry)
}

/** Desks with every open order of the ledger in its place: priorities are as they were. */
export function desksFrom(ledger: Ledger): Desks {
  const desks: Desks = new Map()
  const open = everyEntry(ledger).flatMap((entry) =>
    [...entry.orders.values()].filter(isOpen).map((order) => ({ entry, order })),
  )
  open.sort((a, b) => (a.order.rank ?? 0) - (b.order.rank ?? 0) || a.order.id - b.order.id)
  for (const { entry, order } of open) shelve(deskOf(desks, order.market), entry, undefined, order)
  return desks
}

/** What is left of a resting order. */
export function remainingOf(id: number, entry: Entry): bigint {
  const order = entry.orders.get(id)
  return order ? remaining(order) : 0n
}

/** What may be bought and sold, best first. */
export function depthOf(desk: Desk, house: HouseDepth) {
  return {
    bids: joined(desk.book.buy, standingLevels(desk.book, house, 'sell'), (a, b) => a > b),
    asks: joined(desk.book.sell, standingLevels(desk.book, house, 'buy'), (a, b) => a < b),
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
