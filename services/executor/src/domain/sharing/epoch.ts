import { type LeaseTerm, usualTerm } from './lease.ts'

/**
 * Most of a row's age by the clock of the database that counts as its silence. Less than a lease is shorter than its
 * takeover: a clock that is set gives nobody a row too soon.
 */
const believedAgeMs = 500
/** Without an answer for this long the database is away: rows were not renewed, whoever lives. */
const awayAfterMs = 2500

/** Row of a partition, as the database has it. */
export interface EpochRow {
  partition: number
  /** Grows with each claim; no two owners have the same. */
  epoch: number
  owner: string
  /** Place of its owner, if that can have but one process. */
  place?: string | undefined
  /** Count of renewals by its owner, who renews only what it holds; 0 of a row that was only claimed. */
  renewal: number
}

/** A row as this process saw it, and since when (monotonic) it has been that. */
export interface SeenEpoch extends EpochRow {
  unchangedSince: number
  /** Set where the owner is proven to be gone. */
  isGone: boolean
}

/** Place in the order of owners that a row must still have for a claim: any renewal where its owner let go of that epoch. */
export interface Expectation {
  epoch: number
  renewal: number | undefined
}

/** Returns a row as it is seen now, which was renewed so long ago by the clock of the database. */
export function seeEpoch(
  before: SeenEpoch | undefined,
  { ageMs, ...row }: EpochRow & { ageMs: number },
  isGone: boolean,
  monotonicNow: number,
): SeenEpoch {
  const isSame = before?.epoch === row.epoch && before.renewal === row.renewal
  if (isSame) return { ...row, unchangedSince: before.unchangedSince, isGone }
  return { ...row, unchangedSince: monotonicNow - silenceIn(ageMs), isGone }
}

function silenceIn(ageMs: number): number {
  if (ageMs <= 0) return 0
  if (ageMs >= believedAgeMs) return believedAgeMs
  return ageMs
}

/** Returns the last moment (monotonic) at which the renewal that is seen can have been sent. */
export function renewedBy({ unchangedSince }: SeenEpoch): number {
  return unchangedSince + believedAgeMs
}

/** True where silence of rows says nothing of their owners. */
export function isDatabaseAway(answeredAt: number, monotonicNow: number): boolean {
  return monotonicNow - answeredAt > awayAfterMs
}

/**
 * Returns what a row must still be for a claim, which the database compares; undefined where it must not be claimed. A row
 * is free where nobody ever had it, where it is the claimant's own and not held, where its owner is gone or silent too long,
 * or where the bus says that this very epoch was let go of: a bus that was rolled back can only say so of an earlier one.
 */
export function expectationOf(
  seen: SeenEpoch | undefined,
  { claimant, releasedEpoch }: { claimant: string; releasedEpoch: number | undefined },
  monotonicNow: number,
  { takeoverMs }: LeaseTerm = usualTerm,
): Expectation | undefined {
  const { epoch = 0, renewal = 0 } = seen ?? {}
  const isOwn = seen === undefined || seen.owner === claimant
  if (isOwn || seen.isGone || monotonicNow - seen.unchangedSince >= takeoverMs) return { epoch, renewal }
  // A row that was let go of may have been claimed since the rows were seen.
  const isLetGo = releasedEpoch !== undefined && releasedEpoch >= epoch
  return isLetGo ? { epoch: releasedEpoch, renewal: undefined } : undefined
}

/** Meaning of a row for one that holds its partition. */
export type RowWord = 'mine' | 'taken' | 'lost'

/**
 * Returns the meaning of a row to the holder of an epoch. A row that another only claimed may be given back: its claim on the bus
 * is still to come, and fails where the holder lives. One that another renewed is that one's.
 */
export function rowWord(row: EpochRow, holder: string, epoch: number): RowWord {
  if (row.owner === holder) return 'mine'
  return row.renewal > 0 && row.epoch >= epoch ? 'lost' : 'taken'
}

/** A lease of the bus, by what counts for one that holds its partition. */
interface LeaseWord {
  owner: string
  isReleased: boolean
  epoch?: number | undefined
}

/**
 * True where a lease shows that the holder of an epoch has lost its partition. A lease that is missing, or of an earlier
 * epoch, is one that the bus was rolled back to; one without an epoch is of a version that knows of none.
 */
export function showsLoss(lease: LeaseWord | undefined, holder: string, epoch: number): boolean {
  if (lease === undefined || (lease.owner === holder && !lease.isReleased)) return false
  if (lease.epoch === undefined) return true
  return lease.owner === holder ? lease.epoch > epoch : lease.epoch >= epoch
}
