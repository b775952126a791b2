import { RefusedError } from '@tripline/kit/refused-error'
import type { UserId } from '@tripline/proto/id'

/** Gives each user at most so many places at a time. */
export interface Places {
  /** Takes a place and answers how to give it back; refuses when all are taken. */
  take: (userId: UserId) => () => void
}

/** Places for what each user does at the same time, named in the refusal. */
export function createPlaces(perUser: number, what: string): Places {
  const taken = new Map<UserId, number>()
  return {
    take: (userId) => {
      const before = taken.get(userId) ?? 0
      if (before >= perUser)
        throw new RefusedError('rate_limited', `At most ${perUser} ${what} at a time`)
      taken.set(userId, before + 1)
      return once(() => {
        const left = (taken.get(userId) ?? 1) - 1
        if (left === 0) taken.delete(userId)
        else taken.set(userId, left)
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
