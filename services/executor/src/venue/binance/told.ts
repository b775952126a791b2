import { add, isGreater, isZero, subtract } from '@tripline/proto/decimal'
import { isTerminal, type VenueOrder } from '../../domain/order.ts'
import type { ToldFill, ToldOrder } from './told-order.ts'

/** What a private stream has told so far of the account's orders. */
export interface Told {
  /** Takes in what it tells; answers what of that is news, undefined where it was known already. */
  hear: (told: ToldOrder) => VenueOrder | undefined
  /** True when the stream has told at least as much of the order. */
  covers: (symbol: string, order: VenueOrder) => boolean
  /** The last that it told of the order. */
  at: (symbol: string, order: VenueOrder) => ToldOrder | undefined
  /** The last that it told and that is meant, which looks at all of them. */
  find: (isMeant: (told: ToldOrder) => boolean) => ToldOrder | undefined
  /** The same of what was told since the last gap. */
  findNow: (isMeant: (told: ToldOrder) => boolean) => ToldOrder | undefined
  /** Something may have happened that is not told. */
  missSome: () => void
  /** The orders that are open by what it told. */
  open: () => readonly ToldOrder[]
}

// What ended is remembered while it may still be told again or asked for.
const mostKept = 2000

interface Kept {
  told: ToldOrder
  fills: Map<string, ToldFill>
  isOfNow: boolean
}

/** A stream that has told nothing. */
export function createTold(): Told {
  const kept = new Map<string, Kept>()
  const remember = (name: string, one: Kept): void => {
    kept.delete(name)
    kept.set(name, one)
    if (kept.size > mostKept) forgetOldest(kept)
  }
  return {
    hear: (told) => {
      const { symbol, childId } = told
      const name = nameOf(symbol, told.order)
      const before = kept.get(name)
      const fills = before?.fills ?? new Map<string, ToldFill>()
      if (told.fill !== undefined) fills.set(told.fill.id, told.fill)
      const isStale = before !== undefined && isAsNew(before.told.order, told.order)
      const latest = isStale ? before.told.order : told.order
      const order = { ...latest, fee: feeOf(fills, latest) }
      const one = { told: { ...told, order }, fills, isOfNow: !isStale || before.isOfNow }
      remember(name, one)
      if (childId !== undefined) remember(`${symbol} ordinary ${childId}`, one)
      return isStale && before.told.order.fee?.amount === order.fee?.amount ? undefined : order
    },
    covers: (symbol, order) => {
      const one = kept.get(nameOf(symbol, order))
      return one !== undefined && reaches(one.told.order, order)
    },
    at: (symbol, order) => kept.get(nameOf(symbol, order))?.told,
    find: (isMeant) => [...kept.values()].findLast(({ told }) => isMeant(told))?.told,
    findNow: (isMeant) => [...kept.values()].findLast(({ told, isOfNow }) => isOfNow && isMeant(told))?.told,
    missSome: () => {
      for (const one of kept.values()) one.isOfNow = false
    },
    open: () => [...new Set(kept.values())].map(({ told }) => told).filter(({ order }) => !isTerminal(order)),
  }
}

/** The name of an order, which has a number of its symbol. */
function nameOf(symbol: string, { isConditional, venueOrderId, type }: VenueOrder): string {
  // On spot a conditional order keeps its id; on futures the two kinds are numbered apart.
  return `${symbol} ${isConditional && type !== 'other' ? 'conditional' : 'ordinary'} ${venueOrderId}`
}

/** True when what was told before is not older than this. */
function isAsNew(before: VenueOrder, order: VenueOrder): boolean {
  if (!reaches(before, order)) return false
  return isTerminal(before) || (order.updatedAt ?? 0) <= (before.updatedAt ?? 0)
}

/** True when an order that is known this far cannot come to be where the other one is. */
function reaches(known: VenueOrder, order: VenueOrder): boolean {
  if (isTerminal(known)) return true
  if (isTerminal(order) || isGreater(order.filled, known.filled)) return false
  return known.status !== 'untriggered' || order.status === 'untriggered'
}

/** What the fills cost; null while not all of them were told, and where it was taken in more than one coin. */
function feeOf(fills: ReadonlyMap<string, ToldFill>, { filled }: VenueOrder): VenueOrder['fee'] {
  const [first, ...others] = fills.values()
  if (first === undefined || others.some(({ fee }) => fee.coin !== first.fee.coin)) return null
  const total = others.reduce((sum, { quantity }) => add(sum, quantity), first.quantity)
  if (!isZero(subtract(total, filled))) return null
  return {
    coin: first.fee.coin,
    amount: others.reduce((sum, { fee }) => add(sum, fee.amount), first.fee.amount),
  }
}

function forgetOldest(kept: Map<string, Kept>): void {
  for (const [name, { told }] of kept) {
    if (!isTerminal(told.order)) continue
    kept.delete(name)
    return
  }
}
