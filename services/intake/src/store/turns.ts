/** A place in a row. */
export interface Turn {
  /** Resolves once everybody who came before has left; undefined when nobody is before. */
  before: Promise<void> | undefined
  leave: () => void
}

/** Rows, one per key, whose members act in the order in which they came. */
export interface Turns {
  take: (key: string) => Turn
}

/** Rows without anybody in them. */
export function openTurns(): Turns {
  const last = new Map<string, Promise<void>>()
  return {
    take: (key) => {
      const before = last.get(key)
      const { promise, resolve } = Promise.withResolvers<void>()
      // Who leaves early still stands between those before and those behind.
      const done = before === undefined ? promise : before.then(() => promise)
      last.set(key, done)
      void done.then(() => {
        if (last.get(key) === done) last.delete(key)
      })
      return { before, leave: resolve }
    },
  }
}
