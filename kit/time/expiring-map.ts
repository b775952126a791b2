/** A map that forgets: entries not written for a while, and the oldest ones when there are too many. */
export interface ExpiringMap<Value> {
  get: (key: string, now: number) => Value | undefined
  set: (key: string, value: Value, now: number) => void
  delete: (key: string) => void
  /** All that is not forgotten, the oldest first. */
  entries: (now: number) => [key: string, value: Value][]
}

/** An empty map whose entries live this long and number at most so many. */
export function expiringMap<Value>(lifeMs: number, limit: number): ExpiringMap<Value> {
  // Each write moves its key to the end, so the first keys are the oldest.
  const entries = new Map<string, { value: Value; writtenAt: number }>()
  const isOver = (writtenAt: number, now: number): boolean => now - writtenAt > lifeMs
  const forgetOldest = (now: number): void => {
    for (const [key, { writtenAt }] of entries) {
      if (entries.size <= limit && !isOver(writtenAt, now)) return
      entries.delete(key)
    }
  }
  return {
    get: (key, now) => {
      const entry = entries.get(key)
      return entry === undefined || isOver(entry.writtenAt, now) ? undefined : entry.value
    },
    set: (key, value, now) => {
      entries.delete(key)
      entries.set(key, { value, writtenAt: now })
      forgetOldest(now)
    },
    delete: (key) => {
      entries.delete(key)
    },
    entries: (now) => {
      forgetOldest(now)
      return [...entries].map(([key, { value }]) => [key, value])
    },
  }
}
