import type { Fill, Order } from '../domain/order.ts'
import type { Entry } from './ledger.ts'

/** Hears of every change before anybody is answered, so that it can be kept. */
export type Keeper = Readonly<{
  opened: (entry: Entry) => void
  changed: (entry: Entry, order: Order, fill?: Fill) => void
}>
