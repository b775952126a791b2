import { setTimeout as sleep } from 'node:timers/promises'

// Services that were started this moment, on a busy machine, may not answer each other in time at first.
const patienceMs = 60_000
const againMs = 500

/** Begins again for a minute where a call is answered 503, as its answer asks for: `cause.status` of what is thrown says so. */
export async function untilAvailable<Value>(act: () => Promise<Value>): Promise<Value> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (statusOf(error) !== 503 || performance.now() > deadline) throw error
      await sleep(againMs)
    }
  }
}

/** The status that a call was refused with; undefined for other failures. */
export function statusOf(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Object ? Reflect.get(cause, 'status') : undefined
}
