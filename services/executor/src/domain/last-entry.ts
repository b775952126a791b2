import type { PositionSide } from '@tripline/proto/language/tree'
import type { Side } from './side.ts'

/** The last entry, as far as a command that comes behind it is decided on it. */
export interface LastEntry {
  side: Side
  /** It waits at the exchange: there is nothing to close yet. */
  rests: boolean
  /** The order that waits, and the entry before it, which is the last one again where that is canceled. */
  waiting?: { order: string; before?: LastEntry }
  /** It is of the same block, or so young that a reading may not show it. */
  isFresh: boolean
  /** What closed its position; undefined where that is not known. */
  closed?: { how: string; at: number }
  /** It is of a message that came later than the one that looks at it. */
  isLater?: true
  /** No entry is known, and in hedge mode an order of this side can only shrink. */
  isAssumed?: true
}

/** The last entry of each position, where it is known and not over. */
export type LastEntries = Partial<Record<PositionSide, LastEntry>>

/** The last entries once orders are canceled that nothing was filled of: those that waited have entered nothing. */
export function withoutCanceled(entries: LastEntries, isCanceled: (order: string) => boolean): LastEntries {
  const all = Object.entries(entries) as [PositionSide, LastEntry][]
  return Object.fromEntries(
    all.flatMap(([side, entry]) => {
      const left = leftOf(entry, isCanceled)
      return left === undefined ? [] : [[side, left]]
    }),
  )
}

function leftOf(entry: LastEntry, isCanceled: (order: string) => boolean): LastEntry | undefined {
  const { waiting } = entry
  if (waiting === undefined) return entry
  const before = waiting.before && leftOf(waiting.before, isCanceled)
  if (isCanceled(waiting.order)) return before
  return { ...entry, waiting: { order: waiting.order, ...(before && { before }) } }
}
