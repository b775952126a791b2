import type { Order } from '../../domain/order.ts'
import type { Exchange } from '../../exchange.ts'
import type { Entry } from '../../store/ledger.ts'

// A cancel has a name of its own, which the venue knows no longer than it takes to emit it.
const names = new WeakMap<Entry, string>()

/** Cancels the order under this name; events to listeners meanwhile carry it. */
export function cancelAs(exchange: Exchange, entry: Entry, order: Order, name: string, now: number): Order {
  names.set(entry, name)
  try {
    return exchange.cancel(entry, order, now)
  } finally {
    names.delete(entry)
  }
}

/** The name of the cancel that is under way for the account, or undefined where none is. */
export function cancelName(entry: Entry): string | undefined {
  return names.get(entry)
}
