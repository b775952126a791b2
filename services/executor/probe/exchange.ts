import type { Credentials } from '@tripline/proto/user-config'
import type { Dispatcher } from 'undici'
import type { VenueAddress } from '../src/venue/addresses.ts'
import type { RecordedMarket } from '../src/venue/read/drift.ts'
import type { Recorder } from './recorder.ts'

/** The exchange's answer to one request, over HTTP or over a socket. */
export interface Answer {
  status: number
  text: string
  json: unknown
  /** The exchange's number for its refusal; 0 where it did what was asked, undefined where it gave none. */
  code: number | undefined
  sentAt: number
  answeredAt: number
}

/** An event of the private stream. */
export interface StreamEvent {
  /** When it came (monotonic, ms). */
  at: number
  text: string
  json: unknown
}

/** An order that was sent, whatever became of it. */
export interface Sent {
  clientId: string
  /** The exchange's id, once an answer reported it. */
  orderId?: string
}

/** The way out of a run's requests, and the record of them. */
export interface Line {
  venue: RecordedMarket
  symbol: string
  address: VenueAddress
  credentials: Credentials
  dispatcher: Dispatcher
  recorder: Recorder
  /** Ends the run; the tidying up sets one of its own. */
  signal: AbortSignal
  /** Notes that a request had no answer, so that it may be carried out yet. */
  onLost: () => void
}

/** An order of the symbol that is open. */
export interface OpenOrder {
  orderId: string
  clientId: string
  isConditional: boolean
}

/** The account calls that preparation and last step need of a market. */
export interface Account {
  openOrders: () => Promise<OpenOrder[]>
  cancel: (order: OpenOrder) => Promise<Answer>
  /** Returns the amount that an order bought (above zero) or sold, after fees taken from it; `0` where there is none. */
  boughtBy: (sent: Sent) => Promise<{ orderId: string; quantity: string }>
  /** The position, signed; undefined where the market has none. */
  position: () => Promise<string | undefined>
  /** Sends a market order that ends what was bought. */
  close: (side: 'buy' | 'sell', quantity: string, clientId: string) => Promise<Answer>
}

/** Returns an answer, cut to one line. */
export function summaryOf({ status, text }: Answer): string {
  return `${status} ${text.slice(0, 160)}`
}
