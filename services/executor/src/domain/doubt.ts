import type { LookUp, LookUpDepth } from './order.ts'

/** How long the venue may still accept a signed order after it was sent: its receive window for orders. */
export const receiveWindowMs = 3000
/** Slack on top of the receive window for clocks that differ. */
const clockSlackMs = 1000
/** So long after the clock leapt all that was sent before is decided, also what a former owner sent. */
export const leapMs = 10_000
/** After this long without an answer a command is given up as failed (E602). */
const giveUpMs = 60_000
const leastAbsences = 3
const leastSpanMs = 2000
const lookUpDelaysMs = [0, 150, 850] as const
const seldomMs = 1000

/** An order that may be at the venue: what has been asked so far, and from when on an absence counts. */
export interface Doubt {
  since: number
  /** Before this moment an absent order may still arrive at the venue. */
  notAbsentBefore: number
  asked: number
  absences: number
  /** When the first and the last look-up were asked that the venue answered with absence. */
  firstAbsentAt: number | undefined
  lastAbsentAt: number | undefined
  nextLookUpAt: number
  /** The order was sent by a former owner, if at all: it is asked for no more often than its absence has to be. */
  isInherited: boolean
}

/** The doubt about an order whose fate is open from now on. */
export function doubtFrom(now: number, notAbsentBefore: number, isInherited = false): Doubt {
  return {
    since: now,
    notAbsentBefore,
    asked: 0,
    absences: 0,
    firstAbsentAt: undefined,
    lastAbsentAt: undefined,
    nextLookUpAt: now,
    isInherited,
  }
}

/** From when on an order sent at this moment, and not found, can no longer arrive. */
export function absenceCountsAfterSending(sentAt: number): number {
  return sentAt + receiveWindowMs + clockSlackMs
}

/**
 * What a look-up tells where the clock may just have leapt: an absence nothing, since less time than it seems may have
 * passed since the order was sent.
 */
export function believed(lookUp: LookUp, mayHaveLeapt: boolean): LookUp {
  if (lookUp.outcome !== 'absent' || !mayHaveLeapt) return lookUp
  return { outcome: 'unreachable', cause: 'the clock was set' }
}

/**
 * Where an order of a former owner is looked for at this moment: everywhere at first, and where its absence could be proven
 * by that; in between only among the orders that the venue has at hand, which half as many requests tell.
 */
export function depthOf(doubt: Doubt, now: number): LookUpDepth {
  const { isInherited, firstAbsentAt } = doubt
  const isBetween = isInherited && firstAbsentAt !== undefined && !isProvenAbsent(afterAbsence(doubt, now))
  return isBetween ? 'recent' : 'all'
}

/**
 * The doubt after the venue said it does not have the order. What counts is when it was asked: a slow answer tells of
 * a moment that is long past. The first and the last moment of an absence are such that it was looked for everywhere.
 */
export function sawAbsence(doubt: Doubt, askedAt: number, now: number, isShallow = false): Doubt {
  const asked = afterAbsence(askedOnce(doubt, now), askedAt, isShallow)
  if (doubt.isInherited && asked.firstAbsentAt !== undefined && asked.absences >= leastAbsences - 1) {
    const spanEndsAt = asked.firstAbsentAt + leastSpanMs
    const isSpanLast = spanEndsAt > doubt.notAbsentBefore
    const provenFrom = isSpanLast ? spanEndsAt : doubt.notAbsentBefore
    return provenFrom <= now ? asked : { ...asked, nextLookUpAt: provenFrom }
  }
  if (asked.absences < leastAbsences || asked.nextLookUpAt >= doubt.notAbsentBefore) return asked
  return { ...asked, nextLookUpAt: doubt.notAbsentBefore }
}

/** The doubt after the venue could not be asked. */
export function sawNothing(doubt: Doubt, now: number): Doubt {
  return askedOnce(doubt, now)
}

/**
 * True once the order is proven absent: not found at least 3 times over at least 2 s, the last time after it could
 * still have arrived. A single "not found" proves nothing, venues' reads lag.
 */
export function isProvenAbsent({ absences, firstAbsentAt, lastAbsentAt, notAbsentBefore }: Doubt): boolean {
  if (firstAbsentAt === undefined || lastAbsentAt === undefined || absences < leastAbsences) return false
  return lastAbsentAt - firstAbsentAt >= leastSpanMs && lastAbsentAt >= notAbsentBefore
}

/** True when something has been open since then for so long that its command is given up. */
export function isGivenUp(since: number, now: number): boolean {
  return now - since >= giveUpMs
}

function afterAbsence(doubt: Doubt, askedAt: number, isShallow = false): Doubt {
  const { absences, firstAbsentAt } = doubt
  const more = { ...doubt, absences: absences + 1 }
  return isShallow ? more : { ...more, firstAbsentAt: firstAbsentAt ?? askedAt, lastAbsentAt: askedAt }
}

function askedOnce(doubt: Doubt, now: number): Doubt {
  const asked = doubt.asked + 1
  const delay = doubt.isInherited ? seldomMs : (lookUpDelaysMs[asked] ?? seldomMs)
  return { ...doubt, asked, nextLookUpAt: now + delay }
}
