import type { PositionSide } from '@tripline/proto/language/tree'
import type { Side } from './side.ts'

/** The last entry, as far as a command that comes behind it is decided on it. */
export interface LastEntry {
  side: Side
  /** It waits at the exchange: there is nothing to close yet. */
  rests: boolean
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
