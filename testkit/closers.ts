/** Acts that end things, last begun first. */
export interface Closers {
  /** Remembers how to end something; after the end has come it is ended at once. */
  add(close: () => Promise<unknown>): Promise<void>
  /** Ends everything, once, whatever fails on the way. */
  close(): Promise<void>
}

/** An empty list of things to end. */
export function closers(): Closers {
  const list: (() => Promise<unknown>)[] = []
  let closing: Promise<void> | undefined
  const closeAll = async () => {
    for (let close = list.pop(); close; close = list.pop()) await close().catch(() => {})
  }
  return {
    add: async (close) => {
      list.push(close)
      if (closing !== undefined) await closeAll()
    },
    close: () => {
      closing ??= closeAll()
      return closing
    },
  }
}
