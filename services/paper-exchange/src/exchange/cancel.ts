import { isOpen, type Order } from '../domain/order.ts'
import type { Entry } from '../store/ledger.ts'
import { endWithSibling } from './end.ts'
import type { Run } from './run.ts'

/** Cancels an order, and with a leg of a list the other one; what has ended already stays as it ended. */
export function cancel(run: Run, entry: Entry, order: Order): Order {
  const known = entry.orders.get(order.id) ?? order
  return isOpen(known) ? endWithSibling(run, entry, known, 'user') : known
}
