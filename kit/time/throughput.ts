import { steadyNow } from './clock.ts'
import { createLowest } from './lowest.ts'

/** Shorter times show what came at once, not what can be done on and on. */
const spanMs = 3000

/** Counts, how many of them there were in the last second, and the most a second in three seconds of the last minutes. */
export interface Throughput {
  count: () => void
  perSecond: () => number
  mostPerSecond: () => number
}

/** Nothing is counted yet. */
export function createThroughput(readNow: () => number = steadyNow): Throughput {
  const least = createLowest({ start: 0, readNow })
  let span = 0
  let current = 0
  let second = { number: 0, count: 0, before: 0 }
  const turn = (): number => {
    const at = readNow() / 1000
    const number = Math.floor(at)
    if (number > second.number)
      second = { number, count: 0, before: number === second.number + 1 ? second.count : 0 }
    return at - number
  }
  return {
    count: () => {
      turn()
      second.count++
      const next = Math.floor(readNow() / spanMs)
      current = next === span ? current + 1 : 1
      span = next
      least.note(-current)
    },
    perSecond: () => {
      const passed = turn()
      return second.count + (1 - passed) * second.before
    },
    mostPerSecond: () => (1000 * Math.abs(least.read())) / spanMs,
  }
}
