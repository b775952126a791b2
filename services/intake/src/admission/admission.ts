import type { UserId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import { createRates, evenShare, type Rates } from './rates.ts'

/** Fewer alerts than this make nobody late: where fewer wait, by how many come or leave in that time, it is for another reason. */
const leastWaiting = 30
/** Alerts that wait longer than this stand in a queue: fewer are admitted. */
const longMs = 250
/** Alerts that wait no longer than this do not: more are admitted again. */
const shortMs = 100
/** The part of what can be executed that is admitted while a queue stands, so that it gets shorter. */
const drainingShare = 0.8
/** The same of one that stands on for so long: few alerts more come in time behind it. */
const longStandingShare = 0.5
const longStandingMs = 15_000
/** Time until a queue shows what less that was admitted has done to it. */
const settlingMs = 500
/** Growth of a wait, since less was admitted last, from which on still less is. */
const worse = 1.1
/** However few are executed, so many a second are admitted. */
const leastPerSecond = 10
/** One of several intakes admits at least this part, also where it has only begun, and nothing of its own is executed yet. */
const leastPart = 0.25
/** The part of it that users have shares of; the rest is for those who send too seldom to have one. */
const sharedPart = 0.9
/** The growth in a second once no queue stands. */
const growth = 1.3
/**
 * A report counts for so long, and for its delay up to the most: what waits is reported ten times a second, a late process at
 * each turn.
 */
const reportedMs = 400
const mostReportedMs = 5000
/** Time without a queue after which nothing is limited. */
const freeAfterMs = 10_000
/** Rates are of twice this time at most: those of users and results, and of all that is admitted, which may soon be more. */
const ratesMs = 500
const admittedMs = 100
/** Time after which the shares of users are divided anew. */
const shareMs = 100
/** Alerts of so long a time may come at once: of all users, and of one. */
const burstMs = 100
const userBurstMs = 1000
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
  /** Alerts a second that leave the queue while it stands, where that is known. */
  perSecond?: number | undefined
  /** The most alerts a second that left the process lately: it can do as many, also where few come just now. */
  mostPerSecond: number
  /** The rates are of all intakes, not of this one alone. */
  isOfAll: boolean
}

/** Admits as many alerts as are executed in time. */
export interface Admission {
  /** Notes that alerts wait. */
  delayed: (delay: Delay, at: number) => void
  /** Notes that an alert has been executed, of this intake or of another one. */
  executed: (isOwn: boolean, at: number) => void
  /** Returns 0 for an alert that is admitted; for one that is not, the time until it may come again, in ms. */
  admit: (userId: UserId, isExit: boolean, at: number) => number
}

/** Admits whatever comes. */
export const unlimited: Admission = { delayed: () => undefined, executed: () => undefined, admit: () => 0 }

/**
 * Admits all alerts until some are reported to wait; then no more of their partitions than can be executed, divided evenly
 * among users, so that one who sends more than others is refused first. Exits are always admitted. Times are in ms.
 */
export function createAdmission(): Admission {
  const offered = createRates<UserId>(ratesMs)
  const executed = createRates<boolean>(ratesMs)
  const admitted = createRates<number>(admittedMs)
  const limits = new Map<string, Limit>()
  return {
    delayed: ({ source, partitions, delayMs, perSecond, mostPerSecond, isOfAll }, at) => {
      const part = isOfAll ? ownPart(executed.perSecond(at)) : 1
      if ((perSecond ?? mostPerSecond) === 0) return
      const coming = sumIn(admitted.perSecond(at), partitions) / part
      const waiting = (Math.max(coming, perSecond ?? 0) * delayMs) / 1000
      if (waiting < leastWaiting) return
      // A process that never had much to do does not know the most that it can: then half of what comes.
      const most = Math.max(mostPerSecond, perSecond ?? coming / 2)
      const limit = limits.get(source) ?? newLimit(source, at)
      limits.set(source, limit)
      // An alert that comes now waits longer than one that is taken now, by as much as more come.
      const waitMs = delayMs * Math.max(1, coming / (perSecond ?? most))
      Object.assign(limit, {
        partitions,
        waitMs,
        countsUntil: at + reportedMs + Math.min(delayMs, mostReportedMs),
      })
      const lower = lowered(limit, { perSecond, most }, part, at)
      if (lower !== undefined) Object.assign(limit, lower, { dividedAt: 0 })
    },
    executed: (isOwn, at) => executed.count(isOwn, at),
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
  /** The end of the time that the last report counts for. */
  countsUntil: number
  /** When alerts waited last for more than a short time. */
  queuedAt: number
  grownAt: number
  /** The time that an alert waited when less was admitted last, and when that was; 0 once no queue stands. */
  loweredMs: number
  loweredAt: number
  /** When it was lowered first while this queue stands. */
  standsFrom: number
  /** Alerts a second of one user. */
  share: number
  dividedAt: number
  /** When the next alert is due at these rates. */
  dueAt: number
  userDueAt: Map<UserId, number>
}

const unlowered = {
  loweredMs: 0,
  loweredAt: Number.NEGATIVE_INFINITY,
  standsFrom: Number.POSITIVE_INFINITY,
}

function newLimit(source: string, at: number): Limit {
  const rates = { perSecond: Number.POSITIVE_INFINITY, share: Number.POSITIVE_INFINITY }
  const times = { waitMs: 0, countsUntil: at, queuedAt: at, grownAt: at, dividedAt: 0, dueAt: 0 }
  return { source, partitions: new Set(), ...rates, ...times, ...unlowered, userDueAt: new Map() }
}

/** Alerts a second of all intakes. */
interface Flow {
  /** Those that leave the queue, where that is known. */
  perSecond: number | undefined
  most: number
}

/**
 * The lower limit behind a report; undefined where it stays. At first that goes by the most that can be done, as few may be
 * executed just now for another reason. Where the queue stands on while so many are admitted, it goes by what leaves it;
 * without that, by the limit itself, and only where the queue gets worse.
 */
function lowered(
  { waitMs, loweredMs, loweredAt, standsFrom, perSecond: limit }: Limit,
  flow: Flow,
  part: number,
  at: number,
): Pick<Limit, 'perSecond' | 'loweredMs' | 'loweredAt' | 'standsFrom'> | undefined {
  if (waitMs <= longMs || at - loweredAt < settlingMs) return undefined
  if (flow.perSecond === undefined && waitMs <= worse * loweredMs) return undefined
  const share = at - standsFrom > longStandingMs ? longStandingShare : drainingShare
  const possible = limit > part * flow.most ? flow.most : (flow.perSecond ?? limit / part)
  const times = { loweredAt: at, standsFrom: Math.min(standsFrom, at) }
  return {
    perSecond: Math.min(limit, Math.max(leastPerSecond, share * part * possible)),
    loweredMs: waitMs,
    ...times,
  }
}

function grow(limit: Limit, at: number): void {
  const isQueued = limit.waitMs > shortMs && at < limit.countsUntil
  if (isQueued) limit.queuedAt = at
  else {
    limit.perSecond *= growth ** ((at - limit.grownAt) / 1000)
    Object.assign(limit, unlowered)
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
  // Once no queue stands nobody has to make up for what was admitted while shares were small.
  const latest = limit.loweredMs > 0 ? Number.POSITIVE_INFINITY : at + userBurstMs + 1000 / limit.share
  for (const [userId, dueAt] of limit.userDueAt) {
    if (dueAt < at) limit.userDueAt.delete(userId)
    else if (dueAt > latest) limit.userDueAt.set(userId, latest)
  }
}

function waitOf({ dueAt, userDueAt }: Limit, userId: UserId, at: number): number {
  const ownDueAt = userDueAt.get(userId) ?? 0
  return Math.max(dueAt - (ownDueAt > at ? burstMs : seldomMs), ownDueAt - userBurstMs) - at
}

function charge(limit: Limit, userId: UserId, at: number): void {
  limit.dueAt = Math.max(at, limit.dueAt) + 1000 / limit.perSecond
  limit.userDueAt.set(userId, Math.max(at, limit.userDueAt.get(userId) ?? 0) + 1000 / limit.share)
}

/** The part of all results that is of alerts of this intake; all of them without any. */
function ownPart(executed: ReadonlyMap<boolean, number>): number {
  const own = executed.get(true) ?? 0
  const all = own + (executed.get(false) ?? 0)
  return all === 0 ? 1 : Math.max(leastPart, own / all)
}

function sumIn(rates: ReadonlyMap<number | undefined, number>, partitions: ReadonlySet<number>): number {
  let sum = 0
  for (const [partition, rate] of rates) if (partition !== undefined && partitions.has(partition)) sum += rate
  return sum
}
