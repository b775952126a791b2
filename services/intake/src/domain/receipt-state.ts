import { diagnosticCodes } from '@tripline/proto/error-code'
import type { AlertEnds } from '@tripline/proto/history-request'
import type { ReceiptProblem, ReceiptState } from '@tripline/proto/intake-request'

/** The code of an alert that was accepted, and then lost. */
export const lostCode = 'E606' as const

/** The time after which an alert that nobody has begun is said to wait. */
const waitsAfterMs = 60_000
/** A message that was sent to the stream, and never confirmed, arrives within this time or not at all. */
const unstoredAfterMs = 600_000

/** All that is known of an alert with a receipt whose end was not known. */
export interface Findings {
  blocks: number
  isConfirmed: boolean
  ageMs: number
  /** Its ends in history, read after the stream was looked at and with no events left to be taken. */
  ends: AlertEnds | undefined
  isInStream: boolean
}

/** Returns the state of a receipt by what history and the stream have of its alert. */
export function stateBy({ blocks, isConfirmed, ageMs, ends, isInStream }: Findings): ReceiptState {
  if (hasEnded(ends, blocks)) return 'ended'
  if (isInStream) return executionsOf(ends) === 0 && ageMs >= waitsAfterMs ? 'waiting' : 'open'
  if (isConfirmed) return 'lost'
  return ageMs >= unstoredAfterMs ? 'unstored' : 'open'
}

/** True for an alert whose blocks all have an end, or that an executor refused as a whole. */
export function hasEnded(ends: AlertEnds | undefined, blocks: number): boolean {
  if (ends === undefined) return false
  return isRefusedByExecutor(ends) || (ends.open === 0 && ends.ended >= blocks)
}

/** Returns the number of executions that history has of an alert, with and without an end. */
export function executionsOf(ends: AlertEnds | undefined): number {
  return ends === undefined ? 0 : ends.open + ends.ended
}

/** True for an alert that ended more than once, each time otherwise. */
export function hasEndedTwice(ends: AlertEnds): boolean {
  return ends.contradicted > 0 || (isRefusedByExecutor(ends) && executionsOf(ends) > 0)
}

/** The texts about a problem, for the owner of the alert. */
export const problemTexts: Record<ReceiptProblem, string> = {
  no_receipt:
    'This alert ran and has no receipt: a process ended between storing it and its receipt, or receipts were dropped while the database was away',
  ended_twice:
    'This alert has ended more than once, each time otherwise: look at the exchange for its orders',
  ended_after_lost:
    'This alert was reported as lost, and has ended after all: look at the history for its end',
}

/** The text of an alert that was lost. */
export function lostText(ends: AlertEnds | undefined, blocks: number): string {
  const begun = executionsOf(ends)
  const known =
    begun === 0
      ? 'Nothing of it is known to have run'
      : `Of ${blocks} blocks ${begun} are known to have begun`
  return `${lostCode} the alert was accepted, and then lost by the storage of alerts. ${known}. Look at the exchange before sending it again`
}

/**
 * Intake refuses by the same codes as executors, but then there is no receipt; what it could not confirm, and what was lost,
 * may run.
 */
function isRefusedByExecutor({ refusal }: AlertEnds): boolean {
  return refusal !== null && refusal !== lostCode && refusal in diagnosticCodes
}
