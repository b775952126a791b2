import { RefusedError } from '@tripline/kit/refused-error'

// A place is free as soon as another one is given back, which nobody can tell beforehand.
const retryAfterS = 10

/** Gives each user, or whoever else is counted, at most so many places at a time. */
export interface Places {
  /** Takes a place and answers how to give it back; refuses when all are taken. */
  take: (key: string) => () => void
}

/** Places for what each user does at the same time, named in the refusal. */
export function createPlaces(perUser: number, what: string): Places {
  const taken = new Map<string, number>()
  return {
    take: (key) => {
      const before = taken.get(key) ?? 0
      if (before >= perUser) {
        throw new RefusedError('rate_limited', `At most ${perUser} ${what} at a time`, { retryAfterS })
      }
      taken.set(key, before + 1)
      return once(() => {
        const left = (taken.get(key) ?? 1) - 1
        if (left === 0) taken.delete(key)
        else taken.set(key, left)
      })
    },
  }
}

function once(act: () => void): () => void {
  let done = false
  return () => {
    if (!done) act()
    done = true
  }
}
