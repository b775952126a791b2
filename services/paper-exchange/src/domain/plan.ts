import { smaller } from './fixed.ts'
import type { HouseDepth } from './house.ts'
import { bestPrice, type Ladder, pricesOf, queueAt } from './ladder.ts'
import { type Market, valueAt } from './market.ts'
import type { Side } from './order.ts'
import type { Level } from './quote.ts'

/** The resting orders of a market. */
export type Book<Owner> = Readonly<{ buy: Ladder<Owner>; sell: Ladder<Owner> }>

/** Somebody who takes what rests: up to a quantity or a value, at no worse than the limit if there is one. */
export type Taker<Owner> = Readonly<{
  owner: Owner
  side: Side
  limit?: bigint | undefined
  quantity: bigint
  value?: bigint | undefined
}>

/** A part of what is taken: from a resting order, or from the house. One's own orders are not traded with. */
export type Match<Owner> = Readonly<{
  price: bigint
  quantity: bigint
  maker?: Readonly<{ id: number; owner: Owner }>
  isOwn: boolean
}>

/** A taker's matches, best price first, and the quantity that is then left. */
export type Plan<Owner> = Readonly<{ matches: ReadonlyArray<Match<Owner>>; left: bigint }>

type Offer<Owner> = Omit<Match<Owner>, 'isOwn'>

/** Whether a price is as good as the limit, or better. */
export function isWithin(side: Side, price: bigint, limit: bigint | undefined): boolean {
  return limit === undefined || (side === 'buy' ? price <= limit : price >= limit)
}

/** Returns the taker's matches of book and house now. Nothing is changed. */
export function planTake<Owner>(
  market: Market,
  book: Book<Owner>,
  house: HouseDepth,
  taker: Taker<Owner>,
  remainingOf: (id: number, owner: Owner) => bigint,
): Plan<Owner> {
  const matches: Match<Owner>[] = []
  let left = taker.quantity
  let money = taker.value
  for (const { price, quantity, maker } of offersTo(book, house, taker.side, remainingOf)) {
    if (!isWithin(taker.side, price, taker.limit)) break
    const wanted = money === undefined ? left : stepsFor(market, money, price)
    if (wanted === 0n) break
    const isOwn = maker?.owner === taker.owner
    const taken = smaller(wanted, quantity)
    matches.push({ price, quantity: taken, isOwn, ...(maker && { maker }) })
    if (isOwn) continue
    left -= taken
    if (money !== undefined) money -= valueAt(market, taken, price)
  }
  return { matches, left: money === undefined ? left : 0n }
}

function stepsFor(market: Market, money: bigint, price: bigint): bigint {
  return (money / valueAt(market, market.step, price)) * market.step
}

// Resting orders stand before the house at the same price.
function* offersTo<Owner>(
  book: Book<Owner>,
  house: HouseDepth,
  side: Side,
  remainingOf: (id: number, owner: Owner) => bigint,
): Generator<Offer<Owner>> {
  const levels = standingLevels(book, house, side)
  let next = 0
  const ladder = side === 'buy' ? book.sell : book.buy
  for (const price of pricesOf(ladder)) {
    for (let level = levels[next]; level && isBetter(side, level.price, price); level = levels[++next])
      yield level
    for (const [id, owner] of queueAt(ladder, price)) {
      yield { price, quantity: remainingOf(id, owner), maker: { id, owner } }
    }
  }
  while (next < levels.length) {
    const level = levels[next++]
    if (level) yield level
  }
}

function isBetter(side: Side, price: bigint, than: bigint): boolean {
  return side === 'buy' ? price < than : price > than
}

/**
 * Returns the levels that the house offers to this side. A resting order on the other side of a level has eaten it when
 * the price came there, so the levels up to the best such order are gone until the next move.
 */
export function standingLevels<Owner>(book: Book<Owner>, house: HouseDepth, side: Side): readonly Level[] {
  const levels = side === 'buy' ? house.asks : house.bids
  const eaten = bestPrice(side === 'buy' ? book.buy : book.sell)
  if (eaten === undefined || !levels[0] || isBetter(side, eaten, levels[0].price)) return levels
  return levels.filter((level) => isBetter(side, eaten, level.price))
}
