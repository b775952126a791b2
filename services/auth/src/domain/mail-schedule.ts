const [slowestRetryMs, ...retriesMs] = [300_000, 1000, 2000, 5000, 15_000, 60_000] as const

/** A mail that could not be sent for so long is given up: its reader has asked again, or gone. */
export const mailLifeMs = 24 * 3_600_000

/** Returns the wait before the next attempt, after so many. */
export function retryDelayMs(attempts: number): number {
  return retriesMs[attempts - 1] ?? slowestRetryMs
}
