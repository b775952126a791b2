import type { DiagnosticCode } from '@tripline/proto/error-code'
import type { KeyFault } from '../../domain/account/key-test.ts'
import type { Placement } from '../../domain/order/order.ts'
import { WithheldError } from './fence.ts'

/** A venue's answer to a request that it did not carry out, or may not have carried out. */
export interface VenueRefusal {
  /** The status of the answer; some venues refuse with 200. */
  status: number
  /** The venue's number; 0 where it gave none. */
  code: number
  text: string
}

/** Thrown where the venue answers a request of ours with anything but its result. */
export class RefusalError extends Error {
  readonly refusal: VenueRefusal

  constructor(refusal: VenueRefusal) {
    super(`${refusal.text} (${refusal.code})`)
    this.name = 'RefusalError'
    this.refusal = refusal
  }
}

/** Thrown where a request was not sent: little is left of what the venue allows, or there was no connection in time. */
export class HeldBackError extends Error {
  constructor(objection: string) {
    super(objection)
    this.name = 'HeldBackError'
  }
}

/** Thrown where a question was answered with a status and no text of the venue's own: it shows nothing. */
export class StatusError extends Error {
  constructor(status: number) {
    super(`answered with status ${status}`)
    this.name = 'StatusError'
  }
}

/** The meaning of the refusals of one market; the same number may mean another thing on another market. */
export interface Codes {
  /** True when the refusal leaves open whether the request was, or will be, carried out. */
  leavesOpen: (refusal: VenueRefusal) => boolean
  /** True when it says that the venue has an order of this name, or had one. */
  saysThere: (refusal: VenueRefusal) => boolean
  /** True when it says that the request came at another moment than it was signed for: nothing of it was done. */
  blamesClock: (refusal: VenueRefusal) => boolean
  /** The venue's verdicts on the key itself, for any request. */
  keyFaults: ReadonlyMap<number, KeyFault>
  /** Our code and a sentence for a refusal, the venue's own words included. */
  meaningOf: (refusal: VenueRefusal) => { code: string; error: string }
}

/** The numbers of a venue that each of our codes stands for. */
export type Meanings = Partial<Record<DiagnosticCode, readonly number[]>>

/** Returns our code of each number, by tables of which the last one counts. */
export function meaningsOf(...tables: readonly Meanings[]): ReadonlyMap<number, DiagnosticCode> {
  const rows = tables.flatMap((table) => Object.entries(table) as [DiagnosticCode, readonly number[]][])
  return new Map(rows.flatMap(([code, numbers]) => numbers.map((number) => [number, code])))
}

/** Returns the venue's refusal in an error, if there is one. */
export function refusalIn(error: unknown): VenueRefusal | undefined {
  return error instanceof RefusalError ? error.refusal : undefined
}

// Errors of ours, whose messages hold no secret.
const ownErrors = [
  'DeadlineError',
  'HeldBackError',
  'RefusalError',
  'StatusError',
  'UnlistedOrderError',
  'WithheldError',
]

/** The cause without the request: messages of others may hold the whole address, and with it the signature. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown fault'
  return ownErrors.includes(error.name) ? error.message : error.name
}

/** Returns what the sending of an order failed by, and where that is open whether the venue says that it has it. */
export function placeFailure(error: unknown, codes: Codes): Exclude<Placement, { outcome: 'done' }> {
  if (error instanceof HeldBackError)
    return { outcome: 'refused', code: 'E603', error: `Not sent: ${error.message}` }
  const failure = changeFailure(error, codes)
  const refusal = refusalIn(error)
  const isThere = failure.outcome === 'unknown' && refusal !== undefined && codes.saysThere(refusal)
  return isThere ? { ...failure, isThere } : failure
}

type Refused = { outcome: 'refused'; code: string; error: string }

/** Returns what a question failed by: the venue's no, or that it could not be asked. */
export function readFailure(
  error: unknown,
  codes: Codes,
): Refused | { outcome: 'unreachable'; cause: string } {
  const refusal = refusalIn(error)
  if (refusal === undefined || codes.leavesOpen(refusal))
    return { outcome: 'unreachable', cause: causeOf(error) }
  return { outcome: 'refused', ...codes.meaningOf(refusal) }
}

/** Returns the failure of a change: it was not permitted, the venue refused it, or it is not known whether it was done. */
export function changeFailure(
  error: unknown,
  codes: Codes,
): Refused | { outcome: 'withheld' } | { outcome: 'unknown'; cause: string } {
  if (error instanceof WithheldError) return { outcome: 'withheld' }
  const failure = readFailure(error, codes)
  return failure.outcome === 'refused' ? failure : { outcome: 'unknown', cause: failure.cause }
}
