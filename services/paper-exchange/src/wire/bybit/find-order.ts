import type { Market } from '../../domain/market.ts'
import { isOpen, type Order } from '../../domain/order.ts'
import { type Entry, findByClientOrderId } from '../../store/ledger.ts'
import { paramsError } from './errors.ts'
import { type Fields, textIn } from './fields.ts'
import { idOfDigits, idOfUuid } from './ids.ts'

/** The order a request names within a market, by its id before its link id; undefined where there is none. */
export function findOrder(entry: Entry, market: Market, fields: Fields): Order | undefined {
  const orderId = textIn(fields, 'orderId')
  const linkId = textIn(fields, 'orderLinkId')
  if (orderId === undefined && linkId === undefined) throw paramsError('orderId or orderLinkId')
  if (orderId === undefined) return findByClientOrderId(entry, market.id, linkId ?? '')
  const id = market.kind === 'spot' ? idOfDigits('order', orderId) : idOfUuid('order', orderId)
  const found = id === undefined ? undefined : entry.orders.get(id)
  return found?.market === market.id ? found : undefined
}

/** Whether the order is one of those that the filter means; each is where there is none. */
export function passesFilter(order: Order, filter: string | undefined): boolean {
  if (filter === undefined) return true
  const isConditional = order.trigger !== undefined && order.isTriggered !== true
  if (filter === 'Order') return !isConditional
  return isConditional
}

/** Closed orders of an account and category that the venue finds at once. */
export const RECENT_CLOSED = 500

/** Whether a closed order still is among those that the venue finds at once. */
export function isRecent(entry: Entry, order: Order, markets: readonly Market[]): boolean {
  if (isOpen(order)) return true
  let newer = 0
  for (const market of markets) {
    const ids = entry.ordersByMarket.get(market.id) ?? []
    for (let index = ids.length - 1; index >= 0 && (ids[index] ?? 0) > order.id; index -= 1) {
      const other = entry.orders.get(ids[index] ?? 0)
      if (other && !isOpen(other)) newer += 1
      if (newer >= RECENT_CLOSED) return false
    }
  }
  return true
}

/** The account's orders in these markets, newest first. */
export function ordersIn(entry: Entry, markets: readonly Market[]): Order[] {
  const orders: Order[] = []
  for (const market of markets) {
    for (const id of entry.ordersByMarket.get(market.id) ?? []) {
      const order = entry.orders.get(id)
      if (order) orders.push(order)
    }
  }
  return orders.sort((one, other) => other.id - one.id)
}
