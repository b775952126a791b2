import type { AbsenceRule } from './absence.ts'
import type { LookUp, LookUpDepth } from './order.ts'

/** Time in which the venue may still accept a signed order after it was sent: its receive window for orders. */
export const receiveWindowMs = 3000
/** Slack on top of the receive window for clocks that differ. */
const clockSlackMs = 1000
/** So long after the clock leapt the longest of the rules was measured by one clock alone. */
export const leapMs = 40_000
/** After this long without an answer a command is given up as failed (E602). */
const giveUpMs = 60_000
const leastAbsences = 3
const leastSpanMs = 2000
const lookUpDelaysMs = [0, 150, 850, 1000, 1000, 1000] as const
const seldomMs = 2000

/** An order that may be at the venue: what has been asked so far, and from when on an absence counts. */
export interface Doubt {
  rule: AbsenceRule
  since: number
  /** From this moment on an order that was sent is there. */
  arrivedBy: number
  /** It was sent after this moment, from which on the stream could report it; undefined where that is not known. */
  sentAfter: number | undefined
  /** It never rests: what is open does not show it. */
  isImmediate: boolean
  /** The venue said that it has an order of this name. */
  isThere: boolean
  asked: number
  absences: number
  firstAbsentAt: number | undefined
  nextLookUpAt: number
  /** The order was sent by a former owner, if at all: it is asked for no more often than its absence has to be. */
  isInherited: boolean
  /** The order under the name may be one that a former owner decided on, also once it was sent again under it. */
  mayBeFormers: boolean
  /** Time since which the private stream reports without a gap, as of the last absence. */
  liveSince: number | undefined
  /** When every place where it could show first lacked it though reads did not lag behind its arrival any more. */
  agreedAt: number | undefined
  isProven: boolean
}

/** An order as known when a doubt about it begins. */
export interface Doubted {
  rule: AbsenceRule
  /** When its request could no longer pass the venue's door. */
  notAbsentBefore: number
  sentAfter?: number | undefined
  isImmediate?: boolean
  isThere?: boolean
  isInherited?: boolean
}

/** The doubt about an order whose fate is open from now on. */
export function doubtFrom(now: number, { notAbsentBefore, sentAfter, ...doubted }: Doubted): Doubt {
  return {
    isImmediate: false,
    isThere: false,
    isInherited: false,
    ...doubted,
    mayBeFormers: doubted.isInherited === true,
    since: now,
    arrivedBy: notAbsentBefore + doubted.rule.engineMs,
    sentAfter,
    asked: 0,
    absences: 0,
    firstAbsentAt: undefined,
    nextLookUpAt: now,
    liveSince: undefined,
    agreedAt: undefined,
    isProven: false,
  }
}

/** From when on the request of an order sent at this moment can no longer pass the venue's door. */
export function absenceCountsAfterSending(sentAt: number): number {
  return sentAt + receiveWindowMs + clockSlackMs
}

/**
 * Returns the look-up where the clock may just have leapt: an absence proves nothing, since less time than it seems may
 * have passed since the order was sent.
 */
export function believed(lookUp: LookUp, mayHaveLeapt: boolean): LookUp {
  if (lookUp.outcome !== 'absent' || !mayHaveLeapt) return lookUp
  return { outcome: 'unreachable', cause: 'the clock was set' }
}

/** Returns the depth of a look-up at this moment: everywhere once an absence there would prove something. */
export function depthOf(doubt: Doubt, now: number): LookUpDepth {
  return now >= decidableFrom(doubt) ? doubt.rule.lookIn : 'usual'
}

type Absence = Extract<LookUp, { outcome: 'absent' }>

/**
 * The doubt after the venue said it does not have the order. The time of the question counts: a slow answer shows a
 * moment that is long past.
 */
export function sawAbsence(before: Doubt, askedAt: number, now: number, absence: Absence): Doubt {
  const { depth = 'usual', stream } = absence
  const asked = askedOnce(before, now)
  const { rule, arrivedBy, isThere } = before
  const firstAbsentAt = before.firstAbsentAt ?? askedAt
  const absences = before.absences + 1
  const doubt: Doubt = { ...asked, absences, firstAbsentAt, liveSince: stream?.liveSince }
  const isThorough = (depth === 'everywhere' || rule.lookIn === 'usual') && !isThere
  const isEnough = isThorough && absences >= leastAbsences && askedAt - firstAbsentAt >= leastSpanMs
  const streamFrom = provenByStreamFrom(doubt)
  const isStreamProof = askedAt >= streamFrom && (stream?.verifiedUntil ?? 0) >= streamFrom
  const isAgreed = isEnough && askedAt >= arrivedBy + rule.readsLagMs
  const agreed = { ...doubt, agreedAt: before.agreedAt ?? (isAgreed ? askedAt : undefined) }
  const isProven = isEnough && (isStreamProof || (isAgreed && askedAt >= provenByReadsFrom(agreed)))
  return withNextLookUp({ ...agreed, isProven }, now)
}

/** The doubt after the venue could not be asked. */
export function sawNothing(doubt: Doubt, now: number): Doubt {
  return askedOnce(doubt, now)
}

/**
 * True once the order is proven absent: not found at least 3 times over at least 2 s, the last time everywhere, and at a
 * moment at which reads, or the private stream, had to show it. A single "not found" proves nothing.
 */
export function isProvenAbsent({ isProven }: Doubt): boolean {
  return isProven
}

/** True when something has been open since then for so long that its command is given up. */
export function isGivenUp(since: number, now: number): boolean {
  return now - since >= giveUpMs
}

/** True where every place lacks the order, which need not be enough to send it again. */
export function isAbsentByReads({ agreedAt }: Doubt): boolean {
  return agreedAt !== undefined
}

/** True where reads agree that the order is not there, and cannot prove it before its command is given up anyway. */
export function isUnprovable(doubt: Doubt): boolean {
  return isAbsentByReads(doubt) && !doubt.isProven && isGivenUp(doubt.since, provenByReadsFrom(doubt))
}

/** The doubt of an order that was sent once more under its name, of which there is no answer again. */
export function doubtAgain(before: Doubt, { isThere, ...anew }: Doubt): Doubt {
  const { since, asked, nextLookUpAt, sentAfter, mayBeFormers } = before
  return { ...anew, isThere: isThere || before.isThere, since, asked, nextLookUpAt, sentAfter, mayBeFormers }
}

/**
 * From when on reads prove something. An order that rests may fill between two of them, be missing among open ones already
 * and among ended ones still: it has to be missing everywhere twice.
 */
function provenByReadsFrom({ rule, arrivedBy, isImmediate, agreedAt }: Doubt): number {
  if (isImmediate) return arrivedBy + rule.immediateLagMs
  return (agreedAt ?? arrivedBy + rule.readsLagMs) + rule.readsLagMs
}

/** From when on the silence of the stream proves something: never where it may have begun after the order was sent. */
function provenByStreamFrom({ rule, arrivedBy, sentAfter, liveSince }: Doubt): number {
  if (rule.streamReportsMs === undefined || sentAfter === undefined || liveSince === undefined) return never
  return liveSince <= sentAfter ? arrivedBy + rule.streamReportsMs : never
}

const never = Number.POSITIVE_INFINITY

/** The next moment at which an absence would prove something. */
function decidableFrom(doubt: Doubt): number {
  const { rule, arrivedBy, firstAbsentAt } = doubt
  const byReads = isAbsentByReads(doubt) ? provenByReadsFrom(doubt) : arrivedBy + rule.readsLagMs
  const spanEndsAt = (firstAbsentAt ?? doubt.since) + leastSpanMs
  const byStream = provenByStreamFrom(doubt)
  const isStreamSooner = byStream < byReads
  const soonest = isStreamSooner ? byStream : byReads
  const isSpanOver = spanEndsAt <= soonest
  return isSpanOver ? soonest : spanEndsAt
}

/** Possible orders of a former owner are asked for again when that proves something, others now and then. */
function withNextLookUp(doubt: Doubt, now: number): Doubt {
  const from = decidableFrom(doubt)
  const isAwaited = doubt.isInherited && doubt.absences >= leastAbsences - 1
  if (from <= now) return doubt
  return { ...doubt, nextLookUpAt: isAwaited || from < doubt.nextLookUpAt ? from : doubt.nextLookUpAt }
}

function askedOnce(doubt: Doubt, now: number): Doubt {
  const asked = doubt.asked + 1
  const delay = doubt.isInherited ? inheritedDelayMs : (lookUpDelaysMs[asked] ?? seldomMs)
  return { ...doubt, asked, nextLookUpAt: now + delay }
}

const inheritedDelayMs = 1000
