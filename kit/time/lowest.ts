/** The lowest value that was noted in the span that runs and the one before it; without any the one to start with. */
export interface Lowest {
  note: (value: number) => void
  read: () => number
}

interface LowestOptions {
  start?: number
  spanMs?: number
  readNow?: () => number
}

/** Nothing is noted yet. A reader of each span (a minute) misses nothing, however short it was that low. */
export function createLowest({
  start = 1,
  spanMs = 60_000,
  readNow = () => performance.now(),
}: LowestOptions = {}): Lowest {
  let span = 0
  let current = start
  let before = start
  const turn = (): void => {
    const next = Math.floor(readNow() / spanMs)
    if (next === span) return
    before = next === span + 1 ? current : start
    current = start
    span = next
  }
  return {
    note: (value) => {
      turn()
      current = Math.min(current, value)
    },
    read: () => {
      turn()
      return Math.min(current, before)
    },
  }
}
