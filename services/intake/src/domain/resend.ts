import type { AlertId } from '@tripline/proto/id'

/** An attempt this old was cut off: every answer without `wait` is given earlier. */
export const cutOffMs = 4000

/**
 * The time for which an attempt is open. A platform that waits 5 s before each of three resends comes for the last time 15 s
 * behind the loss and what the two between take, which nobody here may have seen.
 */
export const openForMs = 20_000

/** The time after its last attempt in which an alert whose answer was lost can be taken over. */
export const resendWindowMs = cutOffMs + openForMs

/** An alert without an answer that holds: from `openAt` on, an equal body is its resend. */
export interface Attempt {
  alertId: AlertId
  /** When it would be taken for cut off; when it failed or its connection broke, if that came before. */
  openAt: number
}

/** The earliest attempt that an equal body is a resend of, or undefined where it is a new alert. */
export function resentAttempt<Known extends Attempt>(
  attempts: readonly Known[],
  now: number,
): Known | undefined {
  let earliest: Known | undefined
  for (const attempt of attempts) {
    const isOpen = attempt.openAt <= now && now - attempt.openAt <= openForMs
    if (isOpen && (earliest === undefined || attempt.alertId < earliest.alertId)) earliest = attempt
  }
  return earliest
}
