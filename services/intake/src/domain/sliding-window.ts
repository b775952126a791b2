/** The span that a limit per minute covers. */
export const windowMs = 60_000

/**
 * Returns the ms until one more fits under the limit; 0 when it fits now. `times` are those admitted before, newest
 * first: only the one at the limit's place decides.
 */
export function waitBefore(times: readonly number[], limit: number, now: number): number {
  const deciding = times[limit - 1]
  if (deciding === undefined) return 0
  const fitsAt = deciding + windowMs
  return fitsAt > now ? fitsAt - now : 0
}

/** Returns the number of those admitted before that still count. */
export function countWithin(times: readonly number[], now: number): number {
  return times.filter((at) => at + windowMs > now).length
}
