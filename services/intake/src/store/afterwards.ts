/** Work that can wait until the alert at hand is on its way; it is done in order. */
export interface Afterwards {
  add: (work: () => void) => void
  /** Does at once what still waits. */
  doAll: () => void
}

/** Nothing to do yet. */
export function openAfterwards(): Afterwards {
  let waiting: (() => void)[] = []
  const doAll = (): void => {
    const due = waiting
    waiting = []
    for (const work of due) work()
  }
  return {
    add: (work) => {
      waiting.push(work)
      if (waiting.length === 1) setImmediate(doAll)
    },
    doAll,
  }
}
