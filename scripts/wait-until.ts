import { setTimeout as sleep } from 'node:timers/promises'

interface WaitOptions {
  deadlineMs?: number
  intervalMs?: number
  what?: string
}

/** What is left of a condition's answers once it holds. */
export type Truthy<T> = Exclude<T, false | null | undefined | 0 | ''>

/** The first truthy answer of the condition; an error when none came before the deadline. */
export async function waitUntil<T>(
  condition: () => T | Promise<T>,
  { deadlineMs = 10_000, intervalMs = 20, what = 'the condition' }: WaitOptions = {},
): Promise<Truthy<T>> {
  const deadline = performance.now() + deadlineMs
  let cause: unknown
  while (performance.now() < deadline) {
    try {
      const answer = await condition()
      if (answer) return answer as Truthy<T>
      cause = undefined
    } catch (error) {
      cause = error
    }
    await sleep(intervalMs)
  }
  throw new Error(`Waited ${deadlineMs} ms in vain for ${what}`, { cause })
}
