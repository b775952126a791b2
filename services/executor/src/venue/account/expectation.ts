/** Waiting for what a stream reports on one order. */
export interface Expectation<Update> {
  /** The first update that settles the order; never rejects, and pends for as long as there is none. */
  settled: Promise<Update>
  /** The same within this time. */
  within: (ms: number) => Promise<Update | undefined>
  /** The last that was reported, settled or not. */
  latest: () => Update | undefined
  stop: () => void
}

/** Those who wait for what a stream reports single orders. */
export interface Expectations<Update> {
  /** Waits for the update that is meant; `known` is what was reported on it before, which settles nothing. */
  expect: (
    isMeant: (update: Update) => boolean,
    isSettled: (update: Update) => boolean,
    known?: Update,
  ) => Expectation<Update>
  /** Passes on what is new. */
  publish: (update: Update) => void
}

/** Nothing waits yet. */
export function createExpectations<Update>(): Expectations<Update> {
  const waiting = new Set<(update: Update) => void>()
  return {
    expect: (isMeant, isSettled, known) => {
      const { promise: settled, resolve } = Promise.withResolvers<Update>()
      let latest = known
      const receive = (update: Update): void => {
        if (!isMeant(update)) return
        latest = update
        if (isSettled(update)) resolve(update)
      }
      waiting.add(receive)
      return {
        settled,
        within: async (ms) => await within(settled, ms),
        latest: () => latest,
        stop: () => void waiting.delete(receive),
      }
    },
    publish: (update) => {
      for (const receive of [...waiting]) receive(update)
    },
  }
}

async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const overdue = new Promise<undefined>((resolve) => {
    // A caller that receives the order otherwise leaves this one running.
    timer = setTimeout(() => resolve(undefined), ms).unref()
  })
  const value = await Promise.race([promise, overdue])
  clearTimeout(timer)
  return value
}
