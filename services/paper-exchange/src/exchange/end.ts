import { type EndReason, isOpen, type Order } from '../domain/order.ts'
import type { Entry } from '../store/ledger.ts'
import { endStatus, nextVersion, putListVersion, putVersion, type Run } from './run.ts'

/** Ends an order that is not filled. */
export function end(run: Run, entry: Entry, order: Order, reason: EndReason): Order {
  const status = endStatus(order, reason)
  const ended = putVersion(run, entry, nextVersion(run, order, { status, endReason: reason }))
  closeList(run, entry, ended)
  return ended
}

/** Ends an order and the other leg of its list. */
export function endWithSibling(run: Run, entry: Entry, order: Order, reason: EndReason): Order {
  const sibling = order.siblingId === undefined ? undefined : entry.orders.get(order.siblingId)
  const ended = end(run, entry, order, reason)
  if (sibling && order.listId !== undefined && isOpen(sibling)) end(run, entry, sibling, reason)
  return ended
}

/** Ends the order that is to end with this one. */
export function endSibling(run: Run, entry: Entry, { siblingId }: Order): void {
  const sibling = siblingId === undefined ? undefined : entry.orders.get(siblingId)
  if (sibling && isOpen(sibling)) end(run, entry, sibling, 'sibling')
}

/** Closes the list of an order once none of its legs lives. */
export function closeList(run: Run, entry: Entry, { listId }: Order): void {
  const list = listId === undefined ? undefined : entry.listsById.get(listId)
  if (list?.status !== 'executing') return
  const lives = list.orderIds.some((id) => {
    const leg = entry.orders.get(id)
    return leg !== undefined && isOpen(leg)
  })
  if (!lives) putListVersion(run, entry, { ...list, status: 'done', updatedAt: run.now })
}
