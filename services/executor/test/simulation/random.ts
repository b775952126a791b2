/** Chances that are the same for the same seed, on every machine. */
export interface Random {
  /** True in this share of the cases. */
  chance: (share: number) => boolean
  /** A whole number, both ends included. */
  between: (least: number, most: number) => number
  /** A time up to the usual one, or in this share of the cases any up to the longest. */
  delay: (usualMs: number, longestMs: number, slowShare: number) => number
  pick: <Value>(values: readonly [Value, ...Value[]]) => Value
}

/** The chances of a seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed | 0
  const draw = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const chance = (share: number): boolean => draw() < share
  const between = (least: number, most: number): number => least + Math.floor(draw() * (most - least + 1))
  return {
    chance,
    between,
    delay: (usualMs, longestMs, slowShare) =>
      between(0, chance(slowShare) ? longestMs : Math.min(usualMs, longestMs)),
    pick: (values) => values[between(0, values.length - 1)] ?? values[0],
  }
}
