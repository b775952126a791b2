import { failedFilter, type Refusal } from '../domain/filter.ts'
import { lockOf } from '../domain/lock.ts'
import { marketOf } from '../domain/market.ts'
import { type Amendment, isOpen, type Order } from '../domain/order.ts'
import { watched } from '../domain/quote.ts'
import { firesAtOnce, followed } from '../domain/trigger.ts'
import type { Entry } from '../store/ledger.ts'
import { freeOf } from './affordable.ts'
import { judge } from './judge.ts'
import { goLive, placedAs } from './place.ts'
import type { Placed } from './placed.ts'
import { wrongAttached } from './protect-check.ts'
import { nextVersion, putVersion, type Run } from './run.ts'

/** Changes an open order: a better price or more of it costs its place in the queue, less of it does not. */
export function amend(run: Run, entry: Entry, order: Order, to: Amendment): Placed {
  const known = entry.orders.get(order.id) ?? order
  if (!isOpen(known)) return { refusal: 'orderNotOpen' }
  const next = amended(known, to)
  const refusal = refusalOf(run, known, next, to)
  if (refusal) return { refusal }
  if (next.status === 'untriggered') return amendWaiting(run, entry, known, next)
  return staysInQueue(known, next) ? shrink(run, entry, next) : requeue(run, entry, next)
}

function amended(order: Order, { quantity, price, triggerPrice, attached }: Amendment): Order {
  const trigger = order.trigger && triggerPrice !== undefined && { ...order.trigger, price: triggerPrice }
  const { attached: carried, ...bare } = order
  const carries = attached === 'none' ? undefined : (attached ?? carried)
  return {
    ...bare,
    ...(carries && { attached: carries }),
    quantity: quantity ?? order.quantity,
    price: price ?? order.price,
    ...(trigger && { trigger }),
  }
}

function refusalOf(run: Run, known: Order, next: Order, to: Amendment): Refusal | undefined {
  const isSame =
    to.attached === undefined &&
    next.quantity === known.quantity &&
    next.price === known.price &&
    next.trigger?.price === known.trigger?.price
  if (isSame) return 'amendUnchanged'
  const market = marketOf(next.market)
  // A quantity of nothing is no quantity, before it is less than what is filled.
  if (next.quantity > 0n && next.quantity <= next.filled) return 'quantityBelowFilled'
  const quote = run.floor.board.of(market.id)
  const failed = failedFilter(market, next, quote)
  if (failed || (to.attached === undefined && to.price === undefined)) return failed
  return wrongAttached(market, next, quote)
}

function staysInQueue(known: Order, next: Order): boolean {
  return next.price === known.price && next.quantity <= known.quantity
}

function shrink(run: Run, entry: Entry, next: Order): Placed {
  const { before: _before, ...rest } = next
  const order = versionOf(run, entry, rest)
  return { order: putVersion(run, entry, order), fills: [] }
}

function versionOf(run: Run, entry: Entry, next: Order): Order {
  const before = entry.orders.get(next.id)
  return {
    ...nextVersion(run, next, {}),
    ...(before && { before: nextVersion(run, before, {}).before ?? before }),
  }
}

function amendWaiting(run: Run, entry: Entry, known: Order, next: Order): Placed {
  const market = marketOf(next.market)
  const { trigger } = next
  const price = trigger && watched(market, run.floor.board.of(market.id), trigger.by)
  if (trigger && price !== undefined && firesAtOnce(market, trigger, price))
    return { refusal: 'triggersAtOnce' }
  const [was, will] = [lockOf(known), lockOf(next)]
  const more = (will?.amount ?? 0n) - (was?.amount ?? 0n)
  if (will && more > freeOf(run.floor, entry, will.asset)) return { refusal: 'balanceInsufficient' }
  const order = trigger && price !== undefined ? { ...next, trigger: followed(market, trigger, price) } : next
  return { order: putVersion(run, entry, versionOf(run, entry, order)), fills: [] }
}

// Out of the book and in again at its end: it may take now what it did not take before.
function requeue(run: Run, entry: Entry, next: Order): Placed {
  const { rank: _rank, ...arriving } = next
  const verdict = judge(run.floor, entry, arriving)
  if ('refusal' in verdict) return verdict
  const order = putVersion(run, entry, versionOf(run, entry, { ...arriving, quantity: verdict.quantity }))
  return placedAs(run, entry, goLive(run, entry, order, verdict))
}
