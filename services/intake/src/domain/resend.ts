import type { AlertId } from '@tripline/proto/id'

/** How long after its last sign of life an attempt can be taken over. */
export const resendWindowMs = 60_000

/** An attempt this old was cut off: every answer without `wait` is given earlier. */
export const cutOffMs = 4000

/** An alert that was received and not yet answered with anything that holds. */
export interface Attempt {
  alertId: AlertId
  /** `failed` once it was answered with a 5xx. */
  state: 'pending' | 'failed'
  at: number
}

/** The earliest attempt that an equal body is a resend of, or undefined where it is a new alert. */
export function resentAttempt(attempts: readonly Attempt[], now: number): Attempt | undefined {
  const resent = attempts.filter(
    ({ state, at }) => now - at <= resendWindowMs && (state === 'failed' || now - at >= cutOffMs),
  )
  return resent.reduce<Attempt | undefined>(
    (earliest, attempt) => (earliest && earliest.alertId < attempt.alertId ? earliest : attempt),
    undefined,
  )
}
