import { isOpen, type Order } from '../domain/order.ts'
import type { Entry } from './ledger.ts'

const DAY_MS = 86_400_000
const UNFILLED_DAYS = 3
const LONGEST_DAYS = 90

/** Forgets the account's orders and lists that the venue does not show any more; fills stay. */
export function forgetEnded(entry: Entry, now: number): void {
  const forgotten = new Set<number>()
  for (const order of entry.orders.values()) if (isForgotten(order, now)) forgotten.add(order.id)
  for (const [id, { updatedAt }] of entry.listsById)
    if (now - updatedAt >= LONGEST_DAYS * DAY_MS) entry.listsById.delete(id)
  if (forgotten.size === 0) return
  for (const id of forgotten) entry.orders.delete(id)
  for (const [market, ids] of entry.ordersByMarket)
    entry.ordersByMarket.set(
      market,
      ids.filter((id) => !forgotten.has(id)),
    )
  for (const [name, id] of entry.latestByClientOrderId)
    if (forgotten.has(id)) entry.latestByClientOrderId.delete(name)
}

function isForgotten(order: Order, now: number): boolean {
  if (isOpen(order)) return false
  return now - order.updatedAt > (order.filled === 0n ? UNFILLED_DAYS : LONGEST_DAYS) * DAY_MS
}
