import { createSharers, isBeyondShare } from '../fair-share.ts'

/** Keeps requests within what may be sent in a span of time; where there is room, nothing waits. */
export interface Pace {
  /**
   * Counts one request as soon as there is room for it, for its user where several share it. What is urgent may use the
   * room that is kept back for it.
   */
  enter: (isUrgent: boolean, userId?: string) => Promise<void>
  /** The venue said how many requests it allows. */
  allow: (limit: number) => void
  /** The venue said that this was too often. */
  exhaust: () => void
  /** The share of the room that is left now. */
  left: () => number
}

/** How often something may be done, and how much of that only urgent requests may use. */
export interface PaceLimit {
  most: number
  spanMs: number
  keptForUrgent: number
}

/** By what the pace measures time, and how it waits. */
export interface PaceClock {
  now: () => number
  pause: (ms: number) => Promise<void>
}

const ownClock: PaceClock = {
  now: () => performance.now(),
  pause: async (ms) => await new Promise((resolve) => setTimeout(resolve, ms)),
}

interface Entered {
  at: number
  /** What its user has entered in the span; undefined where it is nobody's. */
  own: Own | undefined
}

interface Own {
  count: number
}

/** A pace with nothing used yet. */
export function createPace(limit: PaceLimit, { now: readNow, pause } = ownClock): Pace {
  let { most } = limit
  const entered: Entered[] = []
  const sharers = createSharers<Own>(() => ({ count: 0 }))
  const add = (at: number, own?: Own): void => {
    entered.push({ at, own })
    if (own !== undefined) own.count++
  }
  const leave = (now: number): void => {
    while (entered.length > 0 && (entered[0]?.at ?? now) <= now - limit.spanMs) {
      const own = entered.shift()?.own
      if (own !== undefined) own.count--
    }
  }
  const mayEnter = (isUrgent: boolean, own: Own | undefined, now: number): boolean => {
    const room = Math.max(1, isUrgent ? most : most - limit.keptForUrgent)
    const used = entered.length
    const has = sharers.areSeveral(now) && own !== undefined ? own.count : 0
    return !isBeyondShare({ most: room, used, own: has, times: isUrgent ? 1 : 2 })
  }
  return {
    enter: async (isUrgent, userId) => {
      for (;;) {
        const now = readNow()
        leave(now)
        const own = userId === undefined ? undefined : sharers.asking(userId, now)
        if (mayEnter(isUrgent, own, now)) return add(now, own)
        const oldest = entered[0]?.at ?? now
        await pause(Math.max(1, oldest + limit.spanMs - now))
      }
    },
    allow: (allowed) => {
      most = allowed
    },
    exhaust: () => {
      const now = readNow()
      leave(now)
      while (entered.length < most) add(now)
    },
    left: () => {
      leave(performance.now())
      return Math.max(0, 1 - entered.length / most)
    },
  }
}

/** The paces of one account, each path its own. */
export interface Paces {
  at: (path: string) => Pace
  stop: () => void
}

/** Paces of which nothing is used yet, all of them with this limit to begin with. */
export function createPaces(limit: PaceLimit): Paces {
  const paces = new Map<string, Pace>()
  return {
    at: (path) => {
      const pace = paces.get(path) ?? createPace(limit)
      paces.set(path, pace)
      return pace
    },
    stop: () => paces.clear(),
  }
}
