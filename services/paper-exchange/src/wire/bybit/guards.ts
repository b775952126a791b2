import type { Entry } from '../../store/ledger.ts'

/** Which accounts want their orders canceled when they go silent, and after how long. */
export type Guards = Readonly<{
  windowOf: (entry: Entry) => number | undefined
  set: (entry: Entry, windowS: number) => void
}>

/** No account is guarded yet. */
export function createGuards(): Guards {
  const windows = new WeakMap<Entry, number>()
  return {
    windowOf: (entry) => windows.get(entry),
    set: (entry, windowS) => void windows.set(entry, windowS),
  }
}
