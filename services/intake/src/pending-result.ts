import type { AlertResult } from '@tripline/proto/alert'
import type { AlertId } from '@tripline/proto/id'
import type { Results } from './consumers/results.ts'

/** A result that has not come yet. */
export interface PendingResult {
  /** The result if it comes in time, else undefined. */
  within: (waitMs: number) => Promise<AlertResult | undefined>
  /** Calls back if the result comes after all. */
  later: (listener: (result: AlertResult) => void) => void
  forget: () => void
}

// The longest `wait` of an alert: its result may come as late as that.
const longestMs = 86_400_000

/** Listens for an alert's result from now on, until it is forgotten. */
export function expectResult(results: Results, alertId: AlertId): PendingResult {
  const { promise, resolve } = Promise.withResolvers<AlertResult | undefined>()
  const forget = results.expect(alertId, resolve)
  return {
    within: async (waitMs) => {
      const timer = setTimeout(() => resolve(undefined), Math.max(waitMs, 0))
      try {
        return await promise
      } finally {
        clearTimeout(timer)
      }
    },
    later: (listener) => {
      forget()
      const forgetLater = results.expect(alertId, (result) => {
        clearTimeout(overdue)
        if (result !== undefined) listener(result)
      })
      const overdue = setTimeout(forgetLater, longestMs).unref()
    },
    forget,
  }
}
