import { RefusedError } from '@tripline/kit/refused-error'

/** Lets so many pieces of work run at once and so many more wait in line; the others are refused. */
export function createTurns(limits: {
  atOnce: number
  waiting: number
}): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let running = 0
  const line: (() => void)[] = []
  return async (work) => {
    if (running >= limits.atOnce) {
      if (line.length >= limits.waiting) {
        throw new RefusedError(
          'rate_limited',
          'Too many people are logging in, please try again in a moment',
          {
            retryAfterS: 2,
          },
        )
      }
      // Whoever is done leaves its place to the first in line, so the count of those running stays.
      await new Promise<void>((resolve) => line.push(resolve))
    } else {
      running++
    }
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
