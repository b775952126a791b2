import type { Exchange } from '../../exchange.ts'
import type { Entry } from '../../store/ledger.ts'
import type { Params } from '../params.ts'
import type { VenueError } from './errors.ts'
import type { Usage } from './usage.ts'

/**
 * The data that an endpoint answers from. `venueNow` is the time the venue shows and judges by; only faults bend it.
 */
export type PublicCall = Readonly<{
  exchange: Exchange
  usage: Usage
  params: Params
  now: number
  venueNow: number
}>

/** The same for an endpoint that needs a signature; `asOf` is the moment whose state its reads show. */
export type SignedCall = PublicCall & Readonly<{ entry: Entry; asOf: number }>

/** One order of a request that holds several, and its outcome. */
export type Part = Readonly<{ params: Params; orderId?: number | string; code?: number }>

/**
 * An endpoint's result: the body, and the order it is about, if any, or the several it is about. With a failure, what
 * was done stays done and the answer is the failure.
 */
export type Result = Readonly<{
  body: unknown
  orderId?: number | string
  parts?: readonly Part[]
  failure?: VenueError
}>

/** The kind of act on orders, as the journal calls it. */
export type Op = 'place' | 'cancel' | 'amend'

/** The cost of an endpoint: weight of the address's limit, and orders of the account's. */
export type Cost = number | ((params: Params) => number)

/** An endpoint of the venue. With `reads`, parameters of other names are refused. */
export type Route = Readonly<{ weight: Cost; reads?: readonly string[] }> &
  Readonly<
    | { access: 'public'; run: (call: PublicCall) => Result }
    | { access: 'keyed'; run: (call: SignedCall) => Result }
    | { access: 'signed'; orders: number; op?: Op; run: (call: SignedCall) => Result }
  >

/** A route anybody may call. */
export function open(weight: Cost, read: (call: PublicCall) => unknown): Route {
  return { access: 'public', weight, run: (call) => ({ body: read(call) }) }
}

/** A route that the key alone opens, without a signature. */
export function keyed(weight: Cost, run: (call: SignedCall) => unknown): Route {
  return { access: 'keyed', weight, run: (call) => ({ body: run(call) }) }
}

/** A route that reads something of the account that signed, or changes a setting of it. */
export function signed(weight: Cost, read: (call: SignedCall) => unknown): Route {
  return { access: 'signed', weight, orders: 0, run: (call) => ({ body: read(call) }) }
}

/** A route that changes orders; `orders` is how many it counts as. */
export function order(op: Op, weight: Cost, orders: number, run: (call: SignedCall) => Result): Route {
  return { access: 'signed', weight, orders, op, run }
}

/** Returns the cost of a request by the weight limit. */
export function weightOf({ weight }: Route, params: Params): number {
  return typeof weight === 'number' ? weight : weight(params)
}
