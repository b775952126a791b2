import { absolute, add, DecimalText, isGreater, isZero, negate, subtract } from '@tripline/proto/decimal'
import type { EntryNote } from '@tripline/proto/entry-note'
import { areOfOneAlert, ExecutionId } from '@tripline/proto/id'
import type { PositionSide } from '@tripline/proto/language/tree'
import { z } from 'zod'
import { latestReadingMs } from '../order/absence.ts'
import type { Side } from '../order/side.ts'
import type { LastEntries, LastEntry } from './last-entry.ts'
import { isExit } from './position.ts'

const CommandName = z.object({ executionId: ExecutionId, command: z.int().nonnegative() })
/** Which command of which execution. */
export type CommandName = z.infer<typeof CommandName>

const Entry = z.object({
  side: z.enum(['buy', 'sell']),
  /** When it was placed, or when it was filled after it had rested. */
  at: z.number(),
  /** Absent, with all that follows, of what a version before knew by its side alone. */
  by: CommandName.exactOptional(),
  order: z.string().exactOptional(),
  /** It waits at the exchange. */
  rests: z.literal(true).exactOptional(),
  /** The position that it made, and what orders of ours have taken of that since, by their ids. */
  quantity: DecimalText.exactOptional(),
  exits: z.record(z.string(), DecimalText).exactOptional(),
  /** The order of ours that closed the last of it. */
  closed: z.object({ how: z.string(), at: z.number() }).exactOptional(),
  /** The command that itself closed its position, or wanted it closed and found it so. */
  flatBy: CommandName.exactOptional(),
  /** The exit that found nothing left of it. */
  over: z.object({ by: CommandName, at: z.number() }).exactOptional(),
})
/** An order by which a bot opened, turned or added to a position, or is about to. */
type Entry = z.infer<typeof Entry>

/** The entries of one position: those that rest, and the last one that traded. */
const Entries = z.array(Entry)
type Entries = readonly Entry[]

export const EntriesBySide = z.object({
  both: Entries.exactOptional(),
  long: Entries.exactOptional(),
  short: Entries.exactOptional(),
})
/** The entries of a bot in one symbol, by the position that they are of. */
export type EntriesBySide = z.infer<typeof EntriesBySide>

const positionSides = ['both', 'long', 'short'] as const
/** Orders that took a part of a position, before they are counted together. */
const maxExits = 20

/** The last entries as this command sees them: the command that ended an entry does not see it as over. */
export function lastEntriesIn(entries: EntriesBySide, me: CommandName | undefined, now: number): LastEntries {
  return Object.fromEntries(
    positionSides.flatMap((side) => {
      const of = entriesOf(entries, side)
      const open = of.filter((entry) => !isOver(entry, me) && !isBeforeClose(entry, of, me))
      const last = seenLast(open, me, now)
      return last === undefined ? [] : [[side, last]]
    }),
  )
}

function seenLast(entries: Entries, me: CommandName | undefined, now: number): LastEntry | undefined {
  const last = newest(entries)
  if (last === undefined) return undefined
  const { rests, order } = last
  if (rests !== true || order === undefined) return seen(last, me, now)
  const before = seenLast(
    entries.filter((entry) => entry !== last),
    me,
    now,
  )
  return { ...seen(last, me, now), waiting: { order, ...(before && { before }) } }
}

/** Returns the entries of a position; in one-way mode the entries of the hedge mode before it too, where none came since. */
function entriesOf(entries: EntriesBySide, side: PositionSide): Entries {
  const of = entries[side] ?? []
  if (side !== 'both') return of
  const since = newest(of)?.at ?? 0
  const before = [...(entries.long ?? []), ...(entries.short ?? [])]
  return [...of, ...before.filter(({ at }) => at > since)]
}

function seen({ side, at, by, rests, closed }: Entry, me: CommandName | undefined, now: number): LastEntry {
  const isOfBlock = by !== undefined && by.executionId === me?.executionId
  const isLater = by !== undefined && me !== undefined && isAfter(by, me)
  return {
    ...{ side, rests: rests === true, isFresh: isOfBlock || now - at < latestReadingMs },
    ...(closed && { closed }),
    ...(isLater && { isLater }),
  }
}

/** True for a command of an alert that came later: ids begin with the time of theirs. */
function isAfter({ executionId }: CommandName, me: CommandName): boolean {
  return executionId > me.executionId && !areOfOneAlert(executionId, me.executionId)
}

/**
 * True where the next plain percent is no exit of the entry any more. In its own block a command that closed it, or would
 * have, has ended it, since its author wrote what follows; a close that the author could not foresee has not: all exits of an
 * alert that comes late are exits, in whichever of its blocks.
 */
function isOver({ over, flatBy }: Entry, me: CommandName | undefined): boolean {
  if (over !== undefined && (me === undefined || !areOfOneAlert(over.by.executionId, me.executionId)))
    return true
  return flatBy !== undefined && flatBy.executionId === me?.executionId && flatBy.command < me.command
}

/** True for an order that rested before an earlier command of this block closed the position that it would have added to. */
function isBeforeClose({ rests, by }: Entry, entries: Entries, me: CommandName | undefined): boolean {
  if (rests !== true || me === undefined) return false
  return entries.some(({ flatBy }) => {
    if (flatBy?.executionId !== me.executionId || flatBy.command >= me.command) return false
    return by?.executionId !== me.executionId || by.command < flatBy.command
  })
}

/** The entries after a note. It may come again, after others that are newer: it is counted once. */
export function noted(entries: EntriesBySide, by: CommandName, note: EntryNote): EntriesBySide {
  if (note.of === 'ended') return onEachSide(entries, (of, side) => afterEnd(of, side, note))
  // In one-way mode nothing is left of what was entered in hedge mode either.
  if (note.of === 'nothing' && note.positionSide === 'both')
    return onEachSide(entries, (of) => afterNothing(of, by, note.at))
  return changed(entries, note.positionSide, (of) => {
    switch (note.of) {
      case 'order':
        return afterOrder(of, by, note)
      case 'flat':
        return withLast(of, note.at, (last) => ({ ...last, flatBy: by }))
      case 'nothing':
        return afterNothing(of, by, note.at)
    }
  })
}

/** The entries without those that have been over since before this moment. */
export function withoutOver(entries: EntriesBySide, before: number): EntriesBySide {
  const isRecent = ({ over }: Entry): boolean => over === undefined || over.at >= before
  return onEachSide(entries, (of) => of.filter(isRecent))
}

function onEachSide(
  entries: EntriesBySide,
  change: (of: Entries, side: PositionSide) => Entries,
): EntriesBySide {
  return positionSides.reduce((all, side) => changed(all, side, (of) => change(of, side)), entries)
}

function changed(
  entries: EntriesBySide,
  side: PositionSide,
  change: (of: Entries) => Entries,
): EntriesBySide {
  const of = entries[side] ?? []
  const after = change(of)
  if (after === of) return entries
  const { [side]: _before, ...others } = entries
  return after.length === 0 ? others : { ...others, [side]: [...after] }
}

type OrderNote = Extract<EntryNote, { of: 'order' }>

function afterOrder(entries: Entries, by: CommandName, note: OrderNote): Entries {
  const { clientOrderId: order, side, at, rests } = note
  const known = entries.find((entry) => entry.order === order)
  if (known !== undefined && known.rests !== true) return entries
  if (!rests) return afterTrade(entries, by, note, known)
  if (known !== undefined) return entries
  const last = lastTraded(entries)
  if (last !== undefined && last.at > at) return entries
  return shrinks(note, last) ? withExit(entries, by, note) : [...entries, { side, at, by, order, rests }]
}

/** An order that has traded, or has ended without that; `rested` is the entry that it was while it waited. */
function afterTrade(all: Entries, by: CommandName, note: OrderNote, rested?: Entry): Entries {
  const { clientOrderId: order, side, at, filled } = note
  const entries = rested === undefined ? all : without(all, rested)
  const last = lastTraded(entries)
  if (isZero(filled) || (last !== undefined && last.at > at)) return entries
  const isAsPlaced = rested !== undefined && (last === undefined || last.at <= rested.at)
  if (!isAsPlaced && shrinks(note, last)) return withExit(entries, by, note)
  const quantity = quantityAfter(note, last)
  const resting = entries.filter(({ rests }) => rests === true)
  return [...resting, { side, at, by, order, ...(quantity !== undefined && { quantity }) }]
}

function afterNothing(entries: Entries, by: CommandName, at: number): Entries {
  return withLast(entries, at, (last) => (last.over ? last : { ...last, over: { by, at } }))
}

/** An entry that rested is one that traded now, or none where it did not. */
function afterEnd(
  entries: Entries,
  positionSide: PositionSide,
  { clientOrderId, at, filled }: Extract<EntryNote, { of: 'ended' }>,
): Entries {
  const known = entries.find((entry) => entry.order === clientOrderId)
  if (known?.rests !== true || known.by === undefined) return entries
  const note: OrderNote = {
    of: 'order',
    ...{ positionSide, at, clientOrderId, side: known.side, quantity: filled, filled },
    ...{ reduceOnly: false, rests: false, isAtOnce: false, how: 'an order that was canceled' },
  }
  return afterTrade(entries, known.by, note, known)
}

function without(entries: Entries, entry: Entry): Entries {
  return entries.filter((other) => other !== entry)
}

/** True for an order that only makes the position of an entry smaller. */
function shrinks(
  { positionSide, side, quantity, reduceOnly, isEntry, held }: OrderNote,
  last: Entry | undefined,
): boolean {
  if (reduceOnly) return true
  if (positionSide !== 'both') return (positionSide === 'long') === (side === 'sell')
  if (held !== undefined) return isExit(side, quantity, held)
  if (isEntry === true) return false
  if (last === undefined || isClosed(last) || last.side === side) return false
  const left = leftOf(last)
  return left === undefined || !isGreater(quantity, left)
}

/** The position once the order traded; undefined where what there was before is not known. */
function quantityAfter(
  { side, filled, held }: Pick<OrderNote, 'side' | 'filled' | 'held'>,
  last: Entry | undefined,
): string | undefined {
  if (held !== undefined) return absolute(add(held, signed(side, filled)))
  if (last === undefined || isClosed(last)) return filled
  const left = leftOf(last)
  if (left === undefined) return undefined
  return last.side === side ? add(left, filled) : absolute(subtract(filled, left))
}

function withExit(entries: Entries, by: CommandName, note: OrderNote): Entries {
  const { side, filled, at, held, isAtOnce, how, clientOrderId } = note
  if (isZero(filled)) return entries
  return withLast(entries, at, (last) => {
    const isReportedBefore = last.exits?.[clientOrderId] === filled
    if (isReportedBefore) return last
    const own =
      last.side === side ? last : counted({ ...last, exits: { ...last.exits, [clientOrderId]: filled } })
    const left = held === undefined ? leftOf(own) : absolute(add(held, signed(side, filled)))
    const isFlat = left === undefined ? own !== last : isZero(left)
    if (!isFlat) return own
    // A close of the other side's position, such as one that was turned by hand, closed none of the entry.
    const closed = own === last ? last.closed : (last.closed ?? { how, at })
    return { ...own, ...(closed && { closed }), ...(isAtOnce && { flatBy: by }) }
  })
}

/** The entry with its exits counted together once they are many. */
function counted(entry: Entry): Entry {
  const { exits = {}, quantity, ...rest } = entry
  if (Object.keys(exits).length <= maxExits) return entry
  const left = leftOf(entry)
  return { ...rest, ...(left !== undefined && { quantity: left }) }
}

/** The part of its position that orders of ours have not taken. */
function leftOf({ quantity, exits = {} }: Entry): string | undefined {
  if (quantity === undefined) return undefined
  const left = Object.values(exits).reduce((rest, taken) => subtract(rest, taken), quantity)
  return isGreater(left, '0') ? left : '0'
}

function isClosed({ closed, over }: Entry): boolean {
  return (closed ?? over) !== undefined
}

function signed(side: Side, quantity: string): string {
  return side === 'buy' ? quantity : negate(quantity)
}

/** Changes the last entry that traded, unless that is newer than what changes it. */
function withLast(entries: Entries, at: number, change: (last: Entry) => Entry): Entries {
  const last = lastTraded(entries)
  if (last === undefined || last.at > at) return entries
  const after = change(last)
  return after === last ? entries : entries.map((entry) => (entry === last ? after : entry))
}

function lastTraded(entries: Entries): Entry | undefined {
  return newest(entries.filter(({ rests }) => rests !== true))
}

function newest(entries: Entries): Entry | undefined {
  return entries.reduce<Entry | undefined>(
    (last, entry) => (last === undefined || entry.at >= last.at ? entry : last),
    undefined,
  )
}
