import { isOpen, type Order } from '../../domain/order.ts'
import type { Exchange } from '../../exchange.ts'
import type { Entry } from '../../store/ledger.ts'
import { goodTillDate } from './format-order.ts'

/** Acts at moments to come, each by a name of its own; setting one anew moves it. */
export type Deadlines = Readonly<{
  set: (name: string, at: number, act: (now: number) => void) => void
  drop: (name: string) => void
  stop: () => void
}>

// Timers cannot wait longer at once.
const LONGEST_WAIT_MS = 2_000_000_000

/** No deadlines yet; `nowMs` is the venue's clock. */
export function createDeadlines(nowMs: () => number): Deadlines {
  const timers = new Map<string, NodeJS.Timeout>()
  const drop = (name: string) => {
    clearTimeout(timers.get(name))
    timers.delete(name)
  }
  const set = (name: string, at: number, act: (now: number) => void): void => {
    drop(name)
    const wait = at - nowMs()
    const wake = () => {
      if (at > nowMs()) return set(name, at, act)
      timers.delete(name)
      act(nowMs())
    }
    timers.set(name, setTimeout(wake, Math.min(Math.max(wait, 0), LONGEST_WAIT_MS)).unref())
  }
  return {
    set,
    drop,
    stop: () => {
      for (const name of [...timers.keys()]) drop(name)
    },
  }
}

/** Sees to it that an order that is good till a date ends then. */
export function watchGoodTill(deadlines: Deadlines, exchange: Exchange, entry: Entry, order: Order): void {
  const until = goodTillDate(order)
  if (until === 0 || !isOpen(order)) return
  deadlines.set(nameOf(order), until, (now) => {
    const latest = entry.orders.get(order.id)
    if (latest && isOpen(latest)) exchange.cancel(entry, latest, now)
  })
}

/** The same for every order the accounts already had; from now on whatever ends waits for its date no more. */
export function watchAllGoodTill(deadlines: Deadlines, exchange: Exchange): void {
  exchange.subscribe((event) => {
    if (event.kind === 'order' && !isOpen(event.order)) deadlines.drop(nameOf(event.order))
  })
  for (const entry of exchange.ledger.entries.values()) {
    for (const id of entry.openOrderIds) {
      const order = entry.orders.get(id)
      if (order?.market.startsWith('binance-futures:')) watchGoodTill(deadlines, exchange, entry, order)
    }
  }
}

function nameOf({ id }: Order): string {
  return `good till ${id}`
}
