import type { Exchange } from '../../exchange.ts'
import type { Entry } from '../../store/ledger.ts'
import type { Params } from '../params.ts'

/**
 * What an endpoint answers from. `venueNow` is the time the venue shows and judges by, `asOf` the moment whose state
 * reads show; both are bent by faults only.
 */
export type PublicCall = Readonly<{
  exchange: Exchange
  params: Params
  now: number
  venueNow: number
  asOf: number
}>

/** The same for an endpoint that needs a signature. */
export type SignedCall = PublicCall & Readonly<{ entry: Entry }>

/** What an endpoint gives back: the body, and the order it is about where there is one. */
export type Result = Readonly<{ body: unknown; orderId?: number; countsAsOrder?: boolean }>

/** An endpoint of the venue. `weight` is what one call costs of the address's limit. */
export type Route = Readonly<
  | { signed: false; weight: number; run: (call: PublicCall) => Result }
  | { signed: true; weight: number; op?: 'place' | 'cancel'; run: (call: SignedCall) => Result }
>

/** A route anybody may call. */
export function open(weight: number, read: (call: PublicCall) => unknown): Route {
  return { signed: false, weight, run: (call) => ({ body: read(call) }) }
}

/** A route that reads something of the account that signed. */
export function signed(weight: number, read: (call: SignedCall) => unknown): Route {
  return { signed: true, weight, run: (call) => ({ body: read(call) }) }
}

/** A route that changes an order. */
export function order(op: 'place' | 'cancel', run: (call: SignedCall) => Result): Route {
  return { signed: true, weight: 1, op, run }
}
