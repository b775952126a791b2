/** Counts by key, and how many a second that is. Times are in ms. */
export interface Rates<Key> {
  count: (key: Key, at: number) => void
  /** Returns the counts a second of the span that runs and the whole one before; keys without any are left out. */
  perSecond: (at: number) => Map<Key, number>
}

/** Nothing is counted yet. */
export function createRates<Key>(spanMs: number): Rates<Key> {
  let span = 0
  let before = new Map<Key, number>()
  let current = new Map<Key, number>()
  const turn = (at: number): void => {
    const next = Math.floor(at / spanMs)
    if (next === span) return
    before = next === span + 1 ? current : new Map()
    current = new Map()
    span = next
  }
  return {
    count: (key, at) => {
      turn(at)
      current.set(key, (current.get(key) ?? 0) + 1)
    },
    perSecond: (at) => {
      turn(at)
      const seconds = (spanMs + (at % spanMs)) / 1000
      const keys = new Set([...before.keys(), ...current.keys()])
      return new Map(
        [...keys].map((key) => [key, ((before.get(key) ?? 0) + (current.get(key) ?? 0)) / seconds]),
      )
    },
  }
}

/**
 * Returns the most that each may have for all together to have no more than `most`: whoever wants less has that, the others
 * have as much as each other. Infinity where all fit.
 */
export function evenShare(demands: readonly number[], most: number): number {
  let left = most
  const sorted = demands.toSorted((one, other) => one - other)
  for (const [index, demand] of sorted.entries()) {
    const share = left / (sorted.length - index)
    if (demand > share) return share
    left -= demand
  }
  return Number.POSITIVE_INFINITY
}
