/** Remembers the latest of what is added, up to a number. */
export type Recent = Readonly<{
  /** Remembers it; false where it is remembered already. */
  add: (one: string) => boolean
}>

/** Nothing added yet. */
export function createRecent(most: number): Recent {
  const known = new Set<string>()
  return {
    add: (one) => {
      if (known.has(one)) return false
      known.add(one)
      const [oldest] = known
      if (known.size > most && oldest !== undefined) known.delete(oldest)
      return true
    },
  }
}
