import { setTimeout as pause } from 'node:timers/promises'

const BETWEEN_MS = 5

/** Waits until the check holds, or fails after the deadline. */
export async function until(check: () => Promise<boolean>, deadlineMs = 40_000): Promise<void> {
  const end = Date.now() + deadlineMs
  while (!(await check())) {
    if (Date.now() > end) throw new Error('it did not happen in time')
    await pause(BETWEEN_MS)
  }
}
