import { steadyNow } from './clock.ts'
import { createLowest } from './lowest.ts'

/** Shorter times show what came at once, not what can be done on and on. */
const spanMs = 3000

/** Counts, and the most of them a second that there were in three seconds of the last minutes. */
export interface Throughput {
  count: () => void
  mostPerSecond: () => number
}

/** Nothing is counted yet. */
export function createThroughput(readNow: () => number = steadyNow): Throughput {
  const least = createLowest({ start: 0, readNow })
  let span = 0
  let current = 0
  return {
    count: () => {
      const next = Math.floor(readNow() / spanMs)
      current = next === span ? current + 1 : 1
      span = next
      least.note(-current)
    },
    mostPerSecond: () => (1000 * Math.abs(least.read())) / spanMs,
  }
}
