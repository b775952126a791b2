const spanMs = 60_000

/** The lowest share that was noted in the minute that runs and the one before it; 1 where none was. */
export interface Lowest {
  note: (share: number) => void
  read: () => number
}

/** Nothing is noted yet. A reader of each minute misses nothing, however short it was that low. */
export function createLowest(readNow = (): number => performance.now()): Lowest {
  let minute = 0
  let current = 1
  let before = 1
  const turn = (): void => {
    const next = Math.floor(readNow() / spanMs)
    if (next === minute) return
    before = next === minute + 1 ? current : 1
    current = 1
    minute = next
  }
  return {
    note: (share) => {
      turn()
      current = Math.min(current, share)
    },
    read: () => {
      turn()
      return Math.min(current, before)
    },
  }
}
