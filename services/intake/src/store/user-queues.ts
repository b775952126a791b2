/** A caller's ticket in the queue of a key. */
export interface Ticket {
  /** Resolves once all tickets before this one are left; undefined when there are none. */
  before: Promise<void> | undefined
  leave: () => void
}

/** Queues, one per key, whose callers act in the order in which they joined. */
export interface UserQueues {
  join: (key: string) => Ticket
}

/** Opens empty queues. */
export function openUserQueues(): UserQueues {
  const last = new Map<string, Promise<void>>()
  return {
    join: (key) => {
      const before = last.get(key)
      const { promise, resolve } = Promise.withResolvers<void>()
      // A caller that leaves early keeps its position in the queue.
      const done = before === undefined ? promise : before.then(() => promise)
      last.set(key, done)
      void done.then(() => {
        if (last.get(key) === done) last.delete(key)
      })
      return { before, leave: resolve }
    },
  }
}
