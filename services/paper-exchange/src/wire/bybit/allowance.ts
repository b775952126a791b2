/** The state of a limit: requests allowed a second, requests that remain, and when it is whole again. */
export type Allowance = Readonly<{ limit: number; left: number; resetAt: number; isOver: boolean }>

/** Counts requests within the last second, or whatever span a limit has. */
export type Allowances = Readonly<{
  take: (key: string, limit: number, spanMs: number, now: number, count?: number) => Allowance
}>

/** Nothing used yet. A request beyond the limit is not counted. */
export function createAllowances(): Allowances {
  const windows = new Map<string, number[]>()
  return {
    take: (key, limit, spanMs, now, count = 1) => {
      const times = windows.get(key) ?? []
      if (times.length === 0) windows.set(key, times)
      while ((times[0] ?? now) <= now - spanMs) times.shift()
      const isOver = times.length + count > limit
      if (!isOver) for (let used = 0; used < count; used += 1) times.push(now)
      const resetAt = isOver ? (times[0] ?? now) + spanMs : now
      return { limit, left: Math.max(0, limit - times.length), resetAt, isOver }
    },
  }
}
