import type { UserId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import { createRates, evenShare, type Rates } from './rates.ts'

/** Fewer alerts than this make nobody late: what is late then is so for another reason. */
const leastWaiting = 30
/** Alerts that wait longer than this stand in a queue: fewer are admitted. */
const longMs = 250
/** Alerts that wait no longer than this do not: more are admitted again. */
const shortMs = 100
/** The part of what is executed that is admitted while a queue stands, so that it gets shorter. */
const drainingShare = 0.8
/** Growth of a wait, since less was admitted last, from which on still less is. */
const worse = 1.1
/** However few are executed, so many a second are admitted. */
const leastPerSecond = 10
/** The part of it that users have shares of; the rest is for those who send too seldom to have one. */
const sharedPart = 0.9
/** The growth in a second once no queue stands. */
const growth = 1.3
/** A report counts for so long; what waits is reported ten times a second. */
const reportedMs = 400
/** Time without a queue after which nothing is limited. */
const freeAfterMs = 10_000
/** Rates are of twice this time at most: those of users and processes, and of all that is admitted, which may soon be more. */
const ratesMs = 500
const admittedMs = 100
/** Time after which the shares of users are divided anew. */
const shareMs = 100
/** Alerts of so long a time may come at once: of all users, and of one. */
const burstMs = 100
const userBurstMs = 1000
/** Alerts that came longer ago do not wait for those before them: they sleep, or their result was lost. */
const waitingMs = 10_000
/** Room of those who sent nothing lately, which those who send all the time leave to them. */
const seldomMs = 200
/** The shortest time that a refused sender is to wait. */
const leastWaitMs = 1000

/** A report of alerts that wait before they are executed. */
export interface Delay {
  /** The process in which they wait. */
  source: string
  partitions: ReadonlySet<number>
  /** The time that each of the last ones waited at least, in ms. */
  delayMs: number
  /** Alerts a second, of all intakes, that it takes; without it those of this intake that are executed count. */
  perSecond?: number
}

/** Admits as many alerts as are executed in time. */
export interface Admission {
  /** Notes that alerts wait. */
  delayed: (delay: Delay, at: number) => void
  /** Notes that an alert has been executed, of a partition where it was admitted here. */
  executed: (partition: number | undefined, at: number) => void
  /** Returns 0 for an alert that is admitted; for one that is not, the time until it may come again, in ms. */
  admit: (userId: UserId, isExit: boolean, at: number) => number
}

/**
 * Admits all alerts until some are reported to wait; then no more of their partitions than are executed, divided evenly
 * among users, so that one who sends more than others is refused first. Exits are always admitted. `waiting` returns how
 * many alerts that were admitted here since a moment are not executed yet. Times are in ms.
 */
export function createAdmission(waiting: (since: number) => number): Admission {
  const offered = createRates<UserId>(ratesMs)
  const executed = createRates<number | undefined>(ratesMs)
  const admitted = createRates<number>(admittedMs)
  const limits = new Map<string, Limit>()
  return {
    delayed: ({ perSecond, delayMs, ...delay }, at) => {
      if (waiting(at - waitingMs) < leastWaiting) return
      const { partitions } = delay
      const ownPerSecond = ownRate(executed.perSecond(at), partitions, perSecond)
      // Without an owner alerts wait for the next one, however few come.
      if (ownPerSecond === 0) return
      const limit = limits.get(delay.source) ?? newLimit(delay, at)
      limits.set(delay.source, limit)
      // An alert that comes now waits longer than one that is taken now, by as much as more come.
      const inflow = Math.max(1, sumIn(admitted.perSecond(at), partitions) / ownPerSecond)
      Object.assign(limit, delay, { waitMs: delayMs * inflow, reportedAt: at })
      // Without the rate of the process, executed is no more than was admitted: fewer help only where the wait grows.
      const isLowered = perSecond !== undefined || limit.waitMs > worse * limit.loweredMs
      if (limit.waitMs > longMs && isLowered)
        Object.assign(limit, {
          perSecond: Math.max(leastPerSecond, drainingShare * ownPerSecond),
          loweredMs: limit.waitMs,
          dividedAt: 0,
        })
    },
    executed: (partition, at) => executed.count(partition, at),
    admit: (userId, isExit, at) => {
      offered.count(userId, at)
      const partition = partitionOf(userId)
      if (limits.size === 0) {
        admitted.count(partition, at)
        return 0
      }
      const those = [...limits.values()].filter((limit) => limit.partitions.has(partition))
      for (const limit of those) {
        grow(limit, at)
        divide(limit, offered, at)
        if (at - limit.queuedAt > freeAfterMs) limits.delete(limit.source)
      }
      const waitMs = Math.max(0, ...those.map((limit) => waitOf(limit, userId, at)))
      if (waitMs > 0 && !isExit) return Math.max(leastWaitMs, waitMs)
      admitted.count(partition, at)
      for (const limit of those) charge(limit, userId, at)
      return 0
    },
  }
}

/** Limit of what is admitted for the partitions of a process in which alerts wait. */
interface Limit extends Pick<Delay, 'source' | 'partitions'> {
  /** Alerts a second. */
  perSecond: number
  /** The time that an alert waits which comes now. */
  waitMs: number
  reportedAt: number
  /** When alerts waited last for more than a short time. */
  queuedAt: number
  grownAt: number
  /** The time that an alert waited when less was admitted last; 0 once no queue stands. */
  loweredMs: number
  /** Alerts a second of one user. */
  share: number
  dividedAt: number
  /** When the next alert is due at these rates. */
  dueAt: number
  userDueAt: Map<UserId, number>
}

function newLimit(delay: Pick<Delay, 'source' | 'partitions'>, at: number): Limit {
  const unlimited = { perSecond: Number.POSITIVE_INFINITY, share: Number.POSITIVE_INFINITY }
  const times = { waitMs: 0, loweredMs: 0, reportedAt: at, queuedAt: at, grownAt: at, dividedAt: 0, dueAt: 0 }
  return { ...delay, ...unlimited, ...times, userDueAt: new Map() }
}

function grow(limit: Limit, at: number): void {
  const isQueued = limit.waitMs > shortMs && at - limit.reportedAt < reportedMs
  if (isQueued) limit.queuedAt = at
  else {
    limit.perSecond *= growth ** ((at - limit.grownAt) / 1000)
    limit.loweredMs = 0
    // Exits are admitted however many come: once they are executed, nothing has to wait for them.
    limit.dueAt = Math.min(limit.dueAt, at + seldomMs)
  }
  limit.grownAt = at
}

function divide(limit: Limit, offered: Rates<UserId>, at: number): void {
  if (at - limit.dividedAt < shareMs) return
  const rates = [...offered.perSecond(at)].filter(([userId]) => limit.partitions.has(partitionOf(userId)))
  limit.share = evenShare(
    rates.map(([, rate]) => rate),
    sharedPart * limit.perSecond,
  )
  limit.dividedAt = at
  for (const [userId, dueAt] of limit.userDueAt) if (dueAt < at) limit.userDueAt.delete(userId)
}

function waitOf({ dueAt, userDueAt }: Limit, userId: UserId, at: number): number {
  const ownDueAt = userDueAt.get(userId) ?? 0
  return Math.max(dueAt - (ownDueAt > at ? burstMs : seldomMs), ownDueAt - userBurstMs) - at
}

function charge(limit: Limit, userId: UserId, at: number): void {
  limit.dueAt = Math.max(at, limit.dueAt) + 1000 / limit.perSecond
  limit.userDueAt.set(userId, Math.max(at, limit.userDueAt.get(userId) ?? 0) + 1000 / limit.share)
}

/**
 * The alerts a second of these partitions that were admitted here; of so many of all intakes, the part that the own ones
 * have of all results, or all of them without any.
 */
function ownRate(
  executed: ReadonlyMap<number | undefined, number>,
  partitions: ReadonlySet<number>,
  ofAll: number | undefined,
): number {
  if (ofAll === undefined) return sumIn(executed, partitions)
  const all = [...executed.values()].reduce((sum, rate) => sum + rate, 0)
  return all === 0 ? ofAll : ofAll * (1 - (executed.get(undefined) ?? 0) / all)
}

function sumIn(rates: ReadonlyMap<number | undefined, number>, partitions: ReadonlySet<number>): number {
  let sum = 0
  for (const [partition, rate] of rates) if (partition !== undefined && partitions.has(partition)) sum += rate
  return sum
}
