/** Work that can wait until the alert at hand is on its way; it is done in order. */
export interface Afterwards {
  /** Has it done with what waits already, some ms later at most. */
  add: (work: () => void) => void
  /** Does at once what still waits. */
  doAll: () => void
}

// A write to Redis costs more than what is in it, and nobody decides anything on these in this time.
const gatherMs = 10
const mostGathered = 100

/** Nothing to do yet. */
export function openAfterwards(): Afterwards {
  let waiting: (() => void)[] = []
  let gathering: NodeJS.Timeout | undefined
  const doAll = (): void => {
    clearTimeout(gathering)
    gathering = undefined
    const due = waiting
    waiting = []
    for (const work of due) work()
  }
  return {
    add: (work) => {
      waiting.push(work)
      if (waiting.length >= mostGathered) doAll()
      else gathering ??= setTimeout(doAll, gatherMs)
    },
    doAll,
  }
}
