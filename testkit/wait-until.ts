import { setTimeout as sleep } from 'node:timers/promises'

interface WaitOptions {
  deadlineMs?: number
  /** The pause between two looks at first; it grows with the time that was waited. */
  intervalMs?: number
  awaited?: string
}

// The slowest pause between two looks: looking takes processor time from the awaited work.
const slowestLookMs = 100
const partOfWait = 0.05

/** The answers of a condition that holds. */
export type Truthy<T> = Exclude<T, false | null | undefined | 0 | ''>

/** The first truthy answer of the condition; an error when none came before the deadline. */
export async function waitUntil<T>(
  condition: () => T | Promise<T>,
  { deadlineMs = 10_000, intervalMs = 20, awaited = 'the condition' }: WaitOptions = {},
): Promise<Truthy<T>> {
  const begun = performance.now()
  const deadline = begun + deadlineMs
  let cause: unknown
  while (performance.now() < deadline) {
    try {
      const answer = await condition()
      if (answer) return answer as Truthy<T>
      cause = undefined
    } catch (error) {
      cause = error
    }
    const grownMs = Math.min((performance.now() - begun) * partOfWait, slowestLookMs)
    await sleep(Math.max(intervalMs, grownMs))
  }
  throw new Error(`Waited ${deadlineMs} ms for ${awaited}, without success`, { cause })
}
