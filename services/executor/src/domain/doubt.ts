import type { LookUp } from './order.ts'

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
const lookUpDelaysMs = [0, 150, 850, 1000] as const

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
}

/** The doubt about an order whose fate is open from now on. */
export function doubtFrom(now: number, notAbsentBefore: number): Doubt {
  return {
    since: now,
    notAbsentBefore,
    asked: 0,
    absences: 0,
    firstAbsentAt: undefined,
    lastAbsentAt: undefined,
    nextLookUpAt: now,
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
 * The doubt after the venue said it does not have the order. What counts is when it was asked: a slow answer tells of
 * a moment that is long past.
 */
export function sawAbsence(doubt: Doubt, askedAt: number, now: number): Doubt {
  const asked = {
    ...askedOnce(doubt, now),
    absences: doubt.absences + 1,
    firstAbsentAt: doubt.firstAbsentAt ?? askedAt,
    lastAbsentAt: askedAt,
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

function askedOnce(doubt: Doubt, now: number): Doubt {
  const asked = doubt.asked + 1
  const delay = lookUpDelaysMs[asked] ?? 1000
  return { ...doubt, asked, nextLookUpAt: now + delay }
}
