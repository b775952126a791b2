import { isGreater } from '@tripline/proto/decimal'
import { isTerminal, type VenueOrder } from '../../../domain/order/order.ts'
import { feeByFills } from '../answers.ts'
import type { FillFee, OrderUpdate } from './order-update.ts'

/** The private stream's reports so far on the account's orders. */
export interface StreamedOrders {
  /** Takes in what it reports; returns the order as it stands by that, undefined where it was known already. */
  receive: (update: OrderUpdate) => VenueOrder | undefined
  /** True when the stream has reported at least as much of the order. */
  covers: (symbol: string, order: VenueOrder) => boolean
  /** The last that it reported on the order. */
  at: (symbol: string, order: VenueOrder) => OrderUpdate | undefined
  /** The last that it reported and that is meant, which looks at all of them. */
  find: (isMeant: (update: OrderUpdate) => boolean) => OrderUpdate | undefined
  /** The same of what was reported since the last gap. */
  findNow: (isMeant: (update: OrderUpdate) => boolean) => OrderUpdate | undefined
  /** Something may have happened that is not reported. */
  missSome: () => void
  /** The orders that are open by what it reported. */
  open: () => readonly OrderUpdate[]
}

// Ended orders are remembered while they may still be reported again or asked for.
const mostOrders = 2000

interface RememberedOrder {
  update: OrderUpdate
  fills: Map<string, FillFee>
  isOfNow: boolean
}

/** A stream that has reported nothing. */
export function createStreamedOrders(): StreamedOrders {
  const orders = new Map<string, RememberedOrder>()
  const remember = (name: string, one: RememberedOrder): void => {
    orders.delete(name)
    orders.set(name, one)
    if (orders.size > mostOrders) forgetOldest(orders)
  }
  return {
    receive: (update) => {
      const { symbol, childId } = update
      const name = nameOf(symbol, update.order)
      const before = orders.get(name)
      const fills = before?.fills ?? new Map<string, FillFee>()
      if (update.fill !== undefined) fills.set(update.fill.id, update.fill)
      const isStale = before !== undefined && isAsNew(before.update.order, update.order)
      const latest = isStale ? before.update.order : update.order
      const order = { ...latest, fee: feeOf(fills, latest) }
      const one = { update: { ...update, order }, fills, isOfNow: !isStale || before.isOfNow }
      remember(name, one)
      if (childId !== undefined) remember(`${symbol} ordinary ${childId}`, one)
      return isStale && before.update.order.fee?.amount === order.fee?.amount ? undefined : order
    },
    covers: (symbol, order) => {
      const one = orders.get(nameOf(symbol, order))
      return one !== undefined && reaches(one.update.order, order)
    },
    at: (symbol, order) => orders.get(nameOf(symbol, order))?.update,
    find: (isMeant) => [...orders.values()].findLast(({ update }) => isMeant(update))?.update,
    findNow: (isMeant) =>
      [...orders.values()].findLast(({ update, isOfNow }) => isOfNow && isMeant(update))?.update,
    missSome: () => {
      for (const one of orders.values()) one.isOfNow = false
    },
    open: () =>
      [...new Set(orders.values())].map(({ update }) => update).filter(({ order }) => !isTerminal(order)),
  }
}

/** The name of an order, which has a number of its symbol. */
function nameOf(symbol: string, { isConditional, venueOrderId, type }: VenueOrder): string {
  // On spot a conditional order keeps its id; on futures the two kinds are numbered apart.
  return `${symbol} ${isConditional && type !== 'other' ? 'conditional' : 'ordinary'} ${venueOrderId}`
}

/** True when what was reported before is not older than this. */
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

/** Returns the fee of the fills; null while not all of them were reported, and if it was taken in more than one coin. */
function feeOf(fills: ReadonlyMap<string, FillFee>, order: VenueOrder): VenueOrder['fee'] {
  const rows = [...fills.values()].map(({ quantity: qty, fee }) => ({
    ...{ qty, commission: fee.amount, commissionAsset: fee.coin },
  }))
  return feeByFills(rows, order) ?? null
}

function forgetOldest(orders: Map<string, RememberedOrder>): void {
  for (const [name, { update }] of orders) {
    if (!isTerminal(update.order)) continue
    orders.delete(name)
    return
  }
}
