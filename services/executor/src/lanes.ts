/** First-in-first-out queues by key: what enters one lane runs one after the other, lanes run side by side. */
export interface Lanes {
  /** Runs now when the lane is free, else in its turn; settles with what was run. */
  enter: <Value>(key: string, run: () => Promise<Value>) => Promise<Value>
}

/** Lanes that come into being with their first entry and go with their last. */
export function createLanes(): Lanes {
  const tails = new Map<string, Promise<unknown>>()
  return {
    enter: async (key, run) => {
      const tail = tails.get(key)
      const turn = tail === undefined ? run() : tail.then(run, run)
      const end = turn.catch(() => undefined)
      tails.set(key, end)
      try {
        return await turn
      } finally {
        if (tails.get(key) === end) tails.delete(key)
      }
    },
  }
}
