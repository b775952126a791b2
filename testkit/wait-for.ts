import { type Truthy, waitUntil } from './wait-until.ts'

/** The first truthy answer of the condition; fails the test when none comes in time. An error counts as not yet. */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { deadlineMs = 40_000 } = {},
): Promise<Truthy<T>> {
  return waitUntil(condition, { deadlineMs, intervalMs: 10 })
}
