import type { PositionSide } from '@tripline/proto/language/tree'
import type { Side } from '../order/side.ts'

/** The last entry, as far as a command that comes behind it is decided on it. */
export interface LastEntry {
  side: Side
  /** It waits at the exchange: there is nothing to close yet. */
  rests: boolean
  /** The order that waits, and the entry before it, which is the last one again where that is canceled. */
  waiting?: { order: string; before?: LastEntry }
  /** It is of the same block, or so young that a reading may not show it. */
  isFresh: boolean
  /** The close of its position; undefined where that is not known. */
  closed?: { how: string; at: number }
  /** It is of a message that came later than the one that looks at it. */
  isLater?: true
  /** A command before in its block closed its position, or found it closed: it is over for what follows there. */
  isOverInBlock?: true
  /** No entry is known, and in hedge mode an order of this side can only shrink. */
  isAssumed?: true
}

/** The last entry of each position, where it is known and not over. */
export type LastEntries = Partial<Record<PositionSide, LastEntry>>

/** The last entry of a position for the command that comes next in a block; undefined where none is known, or it is over. */
export function lastEntryOf(entries: LastEntries | undefined, side: PositionSide): LastEntry | undefined {
  const entry = entries?.[side]
  return entry?.isOverInBlock === true ? undefined : entry
}

/** The last entries with that of one position over for the rest of its block. */
export function overInBlock(entries: LastEntries | undefined, side: PositionSide): LastEntries {
  const entry = entries?.[side]
  return { ...entries, ...(entry && { [side]: { ...entry, isOverInBlock: true } }) }
}

/** The last entries for another block of the alert: there the exits of an entry are exits, whatever was closed before. */
export function afterBlock(entries: LastEntries): LastEntries {
  const all = Object.entries(entries) as [PositionSide, LastEntry][]
  return Object.fromEntries(all.map(([side, { isOverInBlock: _over, ...entry }]) => [side, entry]))
}

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
