import type { Credentials } from '@tripline/proto/user-config'
import type { Exchange } from 'ccxt'
import type { Market } from '../domain/market.ts'
import type { LookUp, OrderPlan, Placement, Reading } from '../domain/order.ts'
import type { VenueConnections } from './dispatcher.ts'

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

/** Where a venue is, whose account it is, and how a request is permitted at the moment it is signed. */
export interface VenueOptions {
  baseUrl: string
  credentials: Credentials
  connections: VenueConnections
  /** The library client whose markets are shared; without it the markets are loaded. */
  parent: Exchange | undefined
  /** Asked where an order is signed: false withholds it. */
  mayPlace: () => boolean
}

/** A venue, and the library client that others may share markets with. */
export interface OpenedVenue {
  venue: Venue
  client: Exchange
}
