/** Waiting for what a stream reports on one order. */
export interface Expectation<News> {
  /** The first news that settles the order; never rejects, and pends for as long as there is none. */
  settled: Promise<News>
  /** The same within this time. */
  within: (ms: number) => Promise<News | undefined>
  /** The last that was reported, settled or not. */
  latest: () => News | undefined
  stop: () => void
}

/** Those who wait for what a stream reports single orders. */
export interface Expectations<News> {
  /** Waits for the news that is meant; `known` is what was reported on it before, which settles nothing. */
  expect: (
    isMeant: (news: News) => boolean,
    isSettled: (news: News) => boolean,
    known?: News,
  ) => Expectation<News>
  /** Passes on what is new. */
  publish: (news: News) => void
}

/** Nothing waits yet. */
export function createExpectations<News>(): Expectations<News> {
  const waiting = new Set<(news: News) => void>()
  return {
    expect: (isMeant, isSettled, known) => {
      const { promise: settled, resolve } = Promise.withResolvers<News>()
      let latest = known
      const receive = (news: News): void => {
        if (!isMeant(news)) return
        latest = news
        if (isSettled(news)) resolve(news)
      }
      waiting.add(receive)
      return {
        settled,
        within: async (ms) => await within(settled, ms),
        latest: () => latest,
        stop: () => void waiting.delete(receive),
      }
    },
    publish: (news) => {
      for (const receive of [...waiting]) receive(news)
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
