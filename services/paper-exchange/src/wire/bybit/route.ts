import type { Exchange } from '../../exchange.ts'
import type { Entry } from '../../store/ledger.ts'
import type { Fields } from './fields.ts'
import type { Guards } from './guards.ts'
import type { Tape } from './tape.ts'

/**
 * The data that an endpoint answers from. `venueNow` is the time the venue shows and judges by; only faults bend it.
 */
export type PublicCall = Readonly<{
  exchange: Exchange
  tape: Tape
  guards: Guards
  fields: Fields
  now: number
  venueNow: number
  /** When this venue last started: what closed before is no longer found at once. */
  startedAt: number
}>

/** The same for an endpoint that needs a signature; `asOf` is the moment whose state its reads show. */
export type SignedCall = PublicCall & Readonly<{ entry: Entry; asOf: number }>

/** One order of a request, and its outcome, for the journal. */
export type Part = Readonly<{ fields: Fields; orderId?: string; code?: number }>

/** An endpoint's result: `result` and `retExtInfo` of the answer, and the orders it is about. */
export type Result = Readonly<{ body: unknown; extra?: unknown; parts?: readonly Part[] }>

/** The kind of act on orders, as the journal calls it. */
export type Op = 'place' | 'cancel' | 'amend'

/** Requests that an account may make a second; a batch counts as its orders. */
export type Quota = Readonly<{
  perSecond: (fields: Fields) => number
  count: (fields: Fields) => number
}>

/** An endpoint of the venue. */
export type Route =
  | Readonly<{ access: 'public'; run: (call: PublicCall) => Result }>
  | Readonly<{ access: 'signed'; quota: Quota; op?: Op; run: (call: SignedCall) => Result }>

const one = (): number => 1
const isSpot = (fields: Fields): boolean => fields['category'] === 'spot'

// A regular account's limits, as the venue's table has them.
const READS: Quota = { perSecond: () => 50, count: one }
const SETTINGS: Quota = { perSecond: () => 10, count: one }
const ORDERS: Quota = { perSecond: (fields) => (isSpot(fields) ? 20 : 10), count: one }
const BATCHES: Quota = { ...ORDERS, count: ({ request }) => (Array.isArray(request) ? request.length : 1) }

/** A route anybody may call. */
export function open(read: (call: PublicCall) => unknown): Route {
  return { access: 'public', run: (call) => ({ body: read(call) }) }
}

/** A route that reads something of the account that signed. */
export function signed(read: (call: SignedCall) => unknown): Route {
  return { access: 'signed', quota: READS, run: (call) => ({ body: read(call) }) }
}

/** A route that changes a setting of the account, or a position of it. */
export function setting(change: (call: SignedCall) => unknown): Route {
  return { access: 'signed', quota: SETTINGS, run: (call) => ({ body: change(call) }) }
}

/** A route that changes an order. */
export function order(op: Op, run: (call: SignedCall) => Result): Route {
  return { access: 'signed', quota: ORDERS, op, run }
}

/** A route that changes several orders at once. */
export function batch(op: Op, run: (call: SignedCall) => Result): Route {
  return { access: 'signed', quota: BATCHES, op, run }
}
