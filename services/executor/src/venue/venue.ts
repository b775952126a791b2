import type { Market } from '../domain/market.ts'
import type { LookUp, OrderPlan, Placement, Reading } from '../domain/order.ts'

/** A warm connection to one venue account: what the executor asks of a venue, whichever it is. */
export interface Venue {
  /** The market of a symbol in the venue's spelling, from memory. */
  market: (symbol: string) => Market | undefined
  /** Symbols the venue lists, for suggestions. */
  symbols: () => readonly string[]
  /** Sends one order; calls back when its bytes are on the wire. */
  place: (order: OrderPlan, onSent: () => void) => Promise<Placement>
  /** Asks for an order by our id. */
  lookUp: (symbol: string, clientOrderId: string) => Promise<LookUp>
  /** Reads balance, position and prices, measured now. */
  read: (symbol: string) => Promise<Reading>
}
