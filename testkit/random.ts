/** Numbers that look random; the same seed gives the same ones. */
export interface Random {
  /** At least 0 and below 1. */
  next: () => number
  /** A whole number between these, both included. */
  between: (least: number, most: number) => number
  /** One of the values, of which there must be some. */
  pick: <Value>(values: readonly Value[]) => Value
}

/** The numbers of a seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (values) => {
      const value = values[Math.floor(next() * values.length)]
      if (value === undefined) throw new Error('There is nothing to pick')
      return value
    },
  }
}
