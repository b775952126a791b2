import { pause } from './transport.ts'

/** The ms from an answer to the read that showed the same. */
export interface Lag {
  read: string
  of: string
  /** Undefined where it was never shown. */
  shownMs: number | undefined
  /** The number of reads without it before. */
  misses: number
}

/** Decision 4 takes an order for absent after 2 s without it, and the account view believes reads of that age. */
export const mostLagMs = 2000
const givesUpMs = 15_000

/** Reads until something is shown, ever more seldom. */
export async function measureLag(
  read: string,
  of: string,
  since: number,
  signal: AbortSignal,
  isShown: () => Promise<boolean>,
): Promise<Lag> {
  let misses = 0
  for (let waitMs = 60; ; waitMs = Math.min(waitMs * 1.6, 1000)) {
    const askedAt = performance.now()
    if (await isShown()) return { read, of, shownMs: Math.max(0, Math.round(askedAt - since)), misses }
    misses++
    if (performance.now() - since > givesUpMs) return { read, of, shownMs: undefined, misses }
    await pause(waitMs, signal)
  }
}
