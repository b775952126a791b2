/** A signing key, by when it signs. */
export interface KeyTime {
  id: string
  /** In ms; from then on it signs, until a newer one does. */
  signsFrom: number
}

/** The rotation of keys; all in ms. */
export interface KeyRotation {
  everyMs: number
  /** The time for which a key is published before it signs, so that every verifier knows it. */
  leadMs: number
  /** The longest that the last token of a key can be valid. */
  tokenLifeMs: number
}

/** The changes to be made to keys, and the keys in use. */
export interface KeyPlan<Key extends KeyTime> {
  /** The one that signs now; none means that one is to be made. */
  current: Key | undefined
  /** Those that tokens may be signed with, soon or still. */
  published: Key[]
  /** From when a new key is to sign, if one is to be made. */
  make: number | undefined
  /** Those that no living token is signed with. */
  forget: Key[]
}

/** The plan for these keys at this moment. */
export function planKeys<Key extends KeyTime>(
  keys: readonly Key[],
  { everyMs, leadMs, tokenLifeMs }: KeyRotation,
  nowMs: number,
): KeyPlan<Key> {
  const newestFirst = keys.toSorted((a, b) => b.signsFrom - a.signsFrom)
  const current = newestFirst.find(({ signsFrom }) => signsFrom <= nowMs)
  const isOver = (index: number): boolean => {
    const successor = newestFirst[index - 1]
    return successor !== undefined && successor.signsFrom <= nowMs - tokenLifeMs
  }
  const hasNext = newestFirst.some(({ signsFrom }) => signsFrom > nowMs)
  const isDue = current !== undefined && !hasNext && nowMs >= current.signsFrom + everyMs - leadMs
  const next = isDue ? nowMs + leadMs : undefined
  return {
    current,
    published: newestFirst.filter((_, index) => !isOver(index)),
    make: current === undefined ? nowMs : next,
    forget: newestFirst.filter((_, index) => isOver(index)),
  }
}
