/** Orders by price, best price first, and first come first served at a price. */
export type Ladder<Owner> = {
  /** Sorted so that the best price is the last one: what goes and comes there moves nothing else. */
  readonly prices: bigint[]
  readonly queues: Map<bigint, Map<number, Owner>>
  readonly best: 'highest' | 'lowest'
}

/** A ladder without orders. */
export function createLadder<Owner>(best: Ladder<Owner>['best']): Ladder<Owner> {
  return { prices: [], queues: new Map(), best }
}

/** Puts an order at the end of its price's queue. */
export function enqueue<Owner>(ladder: Ladder<Owner>, price: bigint, id: number, owner: Owner): void {
  const queue = ladder.queues.get(price)
  if (queue) {
    queue.set(id, owner)
    return
  }
  ladder.queues.set(price, new Map([[id, owner]]))
  ladder.prices.splice(indexOf(ladder, price), 0, price)
}

/** Takes an order out. */
export function dequeue<Owner>(ladder: Ladder<Owner>, price: bigint, id: number): void {
  const queue = ladder.queues.get(price)
  if (!queue?.delete(id) || queue.size > 0) return
  ladder.queues.delete(price)
  ladder.prices.splice(indexOf(ladder, price), 1)
}

/** The best price, or undefined where there is no order. */
export function bestPrice<Owner>(ladder: Ladder<Owner>): bigint | undefined {
  return ladder.prices.at(-1)
}

/** The orders of a price, first come first. */
export function queueAt<Owner>(ladder: Ladder<Owner>, price: bigint): ReadonlyMap<number, Owner> {
  return ladder.queues.get(price) ?? new Map()
}

/** All prices, best first. */
export function* pricesOf<Owner>({ prices }: Ladder<Owner>): Generator<bigint> {
  for (let index = prices.length - 1; index >= 0; index -= 1) {
    const price = prices[index]
    if (price !== undefined) yield price
  }
}

// Returns the index at which the price stands or belongs, by halves.
function indexOf<Owner>({ prices, best }: Ladder<Owner>, price: bigint): number {
  let [low, high] = [0, prices.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const there = prices[middle] ?? 0n
    const before = best === 'highest' ? there < price : there > price
    if (before) low = middle + 1
    else high = middle
  }
  return low
}
