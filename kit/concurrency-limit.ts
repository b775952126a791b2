import { RefusedError } from './refused-error.ts'

/** Runs work once there is room for it; the work's value or failure is the caller's. */
export type Limited = <Value>(work: () => Promise<Value>) => Promise<Value>

interface Limits {
  atOnce: number
  waiting: number
  /** The refusal of what finds no room to wait either, for the person who asked. */
  refusal: string
}

const retryAfterS = 2

/** Lets so many pieces of work run at once and so many more wait in line; the others are refused. */
export function limitConcurrency({ atOnce, waiting, refusal }: Limits): Limited {
  let running = 0
  const line: (() => void)[] = []
  return async (work) => {
    if (running >= atOnce) {
      if (line.length >= waiting) throw new RefusedError('rate_limited', refusal, { retryAfterS })
      // Finished work leaves its place to the first in line, so the count of what runs stays.
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

/** Limits the work of each key, such as a user, apart from that of the others. */
export function limitConcurrencyOfEach(limits: Limits): (key: string) => Limited {
  const limited = new Map<string, { run: Limited; count: number }>()
  return (key) => async (work) => {
    const own = limited.get(key) ?? { run: limitConcurrency(limits), count: 0 }
    limited.set(key, own)
    own.count++
    try {
      return await own.run(work)
    } finally {
      own.count--
      if (own.count === 0) limited.delete(key)
    }
  }
}
