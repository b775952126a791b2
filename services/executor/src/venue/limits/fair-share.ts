/** The use of something that several users share for a while. */
export interface SharedUse {
  /** As much as may be used in all. */
  most: number
  /** The use of all users, and of this one; undefined if no other user may come. */
  used: number
  own: number | undefined
  /** The multiple of the rest that a user may have. */
  times?: number
}

/**
 * True where a user has had a fair share: twice what is left. One user alone thus gets two thirds, two get two fifths
 * each, and however many come, something is left for the next one.
 */
export function isBeyondShare({ most, used, own = 0, times = 2 }: SharedUse): boolean {
  const left = most - used
  return left <= 0 || own >= times * left
}

/** After so long without a request a user shares no more. */
const idleMs = 600_000

/** The users that share something now, each with what it has of it. */
export interface Sharers<Use> {
  /** Answers what this user has, who asks for some of it at this moment. */
  asking: (userId: string, now: number) => Use
  /** True where more than one has asked lately. */
  areSeveral: (now: number) => boolean
}

/** There are no sharers yet; a user who comes, or comes back after long, has had nothing. */
export function createSharers<Use>(nothing: () => Use): Sharers<Use> {
  // In the order in which they last asked.
  const sharers = new Map<string, { use: Use; askedAt: number }>()
  const forgetIdle = (now: number): void => {
    for (const [userId, { askedAt }] of sharers) {
      if (now - askedAt < idleMs) return
      sharers.delete(userId)
    }
  }
  return {
    asking: (userId, now) => {
      forgetIdle(now)
      const use = sharers.get(userId)?.use ?? nothing()
      sharers.delete(userId)
      sharers.set(userId, { use, askedAt: now })
      return use
    },
    areSeveral: (now) => {
      forgetIdle(now)
      return sharers.size > 1
    },
  }
}
