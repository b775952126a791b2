import { createSharers, isBeyondShare } from './fair-share.ts'

/** Keeps requests within what may be sent in a span of time; where there is room, nothing waits. */
export interface RateLimiter {
  /**
   * Counts one request as soon as there is room for it, for its user where several share it. Urgent requests may use
   * the room that is reserved for them.
   */
  enter: (isUrgent: boolean, userId?: string) => Promise<void>
  /** The same for an entry, or a question on the outcome of an order: some room is withheld from these too. */
  enterOrder: (userId?: string) => Promise<void>
  /** The same for a cancel, which is urgent as long as its user cancels few orders; beyond them all others go first. */
  enterCancel: (userId?: string) => Promise<void>
  /** The venue said how many requests it allows. */
  allow: (limit: number) => void
  /** The venue said that this was too often. */
  exhaust: () => void
  /** The share of the room that is left now. */
  left: () => number
}

/** The number of acts that are allowed, and the part of it that only urgent requests may use. */
export interface RateLimit {
  most: number
  spanMs: number
  reservedForUrgent: number
  /** The part of it that is withheld from entries and look-ups, if that is less. */
  withheldFromOrders?: number
}

/** By what the limiter measures time, and how it waits. */
export interface LimiterClock {
  now: () => number
  pause: (ms: number) => Promise<void>
}

const ownClock: LimiterClock = {
  now: () => performance.now(),
  pause: async (ms) => await new Promise((resolve) => setTimeout(resolve, ms)),
}

interface Entered {
  at: number
  isCancel: boolean
  /** The requests of its user in the span; undefined without a user. */
  own: Own | undefined
}

interface Own {
  count: number
  cancels: number
}

/** A request for which there was no room yet. */
interface Waiting {
  kind: Kind
  userId: string | undefined
  begin: () => void
}

// So much of the room a user's cancels may take that count as urgent: orders that were placed by hand cost us nothing before.
const fewCancels = 0.02
// So much of it the cancels beyond these may use.
const cancelShare = 0.5

/** A limiter with nothing used yet. */
export function createRateLimiter(limit: RateLimit, { now: readNow, pause } = ownClock): RateLimiter {
  let { most } = limit
  const entered: Entered[] = []
  const sharers = createSharers<Own>(() => ({ count: 0, cancels: 0 }))
  const add = (at: number, own?: Own, isCancel = false): void => {
    entered.push({ at, own, isCancel })
    note(own, isCancel, 1)
  }
  const leave = (now: number): void => {
    while (entered.length > 0 && (entered[0]?.at ?? now) <= now - limit.spanMs) {
      const left = entered.shift()
      note(left?.own, left?.isCancel === true, -1)
    }
  }
  const roomFor = (kind: Kind, own: Own | undefined): number => {
    if (kind === 'usual') return most - limit.reservedForUrgent
    if (kind === 'order') return most - (limit.withheldFromOrders ?? limit.reservedForUrgent)
    const isMany = kind === 'cancel' && (own?.cancels ?? 0) >= Math.max(1, most * fewCancels)
    return isMany ? Math.min(most * cancelShare, most - limit.reservedForUrgent) : most
  }
  const mayEnter = (kind: Kind, own: Own | undefined, now: number): boolean => {
    const used = entered.length
    const has = sharers.areSeveral(now) && own !== undefined ? own.count : 0
    const room = Math.max(1, roomFor(kind, own))
    if (!isBeyondShare({ most: room, used, own: has, times: ranks[kind] > 0 ? 2 : 1 })) return true
    // An urgent request waits for nothing that an order does not wait for.
    return kind === 'urgent' && mayEnter('order', own, now)
  }
  const hasEntered = (kind: Kind, userId: string | undefined, now: number): boolean => {
    const own = userId === undefined ? undefined : sharers.asking(userId, now)
    const may = mayEnter(kind, own, now)
    if (may) add(now, own, kind === 'cancel')
    return may
  }
  // Those of the lowest rank first, and of equal ones who came first.
  let waiting: Waiting[] = []
  const admit = async (): Promise<void> => {
    while (waiting.length > 0) {
      const now = readNow()
      await pause(Math.max(1, (entered[0]?.at ?? now) + limit.spanMs - now))
      leave(readNow())
      waiting = waiting.filter(({ kind, userId, begin }) => {
        const isIn = hasEntered(kind, userId, readNow())
        if (isIn) begin()
        return !isIn
      })
    }
  }
  const enter = async (kind: Kind, userId?: string): Promise<void> => {
    leave(readNow())
    if (hasEntered(kind, userId, readNow())) return
    const { promise, resolve: begin } = Promise.withResolvers<void>()
    const behind = waiting.findLastIndex((other) => ranks[other.kind] <= ranks[kind])
    waiting.splice(behind + 1, 0, { kind, userId, begin })
    if (waiting.length === 1) void admit()
    await promise
  }
  return {
    enter: async (isUrgent, userId) => await enter(isUrgent ? 'urgent' : 'usual', userId),
    enterOrder: async (userId) => await enter('order', userId),
    enterCancel: async (userId) => await enter('cancel', userId),
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

type Kind = 'urgent' | 'cancel' | 'order' | 'usual'

/** The order of kinds when there is room again. */
const ranks: Readonly<Record<Kind, number>> = { urgent: 0, cancel: 0, order: 1, usual: 2 }

function note(own: Own | undefined, isCancel: boolean, by: 1 | -1): void {
  if (own === undefined) return
  own.count += by
  if (isCancel) own.cancels += by
}

/** The limiters of one account, each path its own. */
export interface RateLimiters {
  at: (path: string) => RateLimiter
  stop: () => void
}

/** Limiters of which nothing is used yet, all of them with this limit to begin with. */
export function createRateLimiters(limit: RateLimit): RateLimiters {
  const limiters = new Map<string, RateLimiter>()
  return {
    at: (path) => {
      const limiter = limiters.get(path) ?? createRateLimiter(limit)
      limiters.set(path, limiter)
      return limiter
    },
    stop: () => limiters.clear(),
  }
}
