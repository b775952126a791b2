/** Time in which an owner catches up with what came while nobody was it. */
const catchUpMs = 10_000
/** One that claims again and again is silent for so long at most, and then not for as long. */
const mostMs = 20_000

/** A time of which nothing is reported. */
export interface Silence {
  /** Begins, or goes on from now. */
  extend: () => void
  isKept: () => boolean
}

/** Nothing was claimed yet. */
export function createSilence(readNow: () => number): Silence {
  let from = Number.NEGATIVE_INFINITY
  let until = Number.NEGATIVE_INFINITY
  return {
    extend: () => {
      const at = readNow()
      if (at >= from + 2 * mostMs) from = at
      until = Math.min(at + catchUpMs, from + mostMs)
    },
    isKept: () => readNow() < until,
  }
}
