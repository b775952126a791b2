/** Keeps requests within what may be sent in a span of time; where there is room, nothing waits. */
export interface Pace {
  /** Counts one request as soon as there is room for it. What is urgent may use the room that is kept back for it. */
  enter: (isUrgent: boolean) => Promise<void>
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

/** A pace with nothing used yet. */
export function createPace(limit: PaceLimit, { now: readNow, pause } = ownClock): Pace {
  let { most } = limit
  const times: number[] = []
  const leave = (now: number): void => {
    while (times.length > 0 && (times[0] ?? now) <= now - limit.spanMs) times.shift()
  }
  return {
    enter: async (isUrgent) => {
      for (;;) {
        const now = readNow()
        leave(now)
        const room = Math.max(1, isUrgent ? most : most - limit.keptForUrgent)
        if (times.length < room) break
        await pause(Math.max(1, (times[times.length - room] ?? now) + limit.spanMs - now))
      }
      times.push(readNow())
    },
    allow: (allowed) => {
      most = allowed
    },
    exhaust: () => {
      const now = readNow()
      leave(now)
      while (times.length < most) times.push(now)
    },
    left: () => {
      leave(performance.now())
      return Math.max(0, 1 - times.length / most)
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
