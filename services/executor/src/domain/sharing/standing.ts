import { type BothClocks, deadlineOf, isHeld, type LeaseTerm, type NumberedTenure } from './lease.ts'

/** The two that each confirm that a partition is held: a lease on the bus, and a row of the database. */
export type Witness = 'bus' | 'database'

/**
 * After failing for so long the database is away, and its word is not waited for. Less than what a row's renewal lasts
 * beyond the next one: an owner goes on without a gap where the database goes away.
 */
const awayAfterMs = 1000
/** Behind a gap its word is waited for so much longer: another may have got the row meanwhile. */
const goneAfterMs = 3000
/** Longest time between two attempts of a process that runs. */
const attemptsApartMs = 1500

/** Whether the database can be asked: `away` for a moment, or `gone` for longer. */
export type Reach = 'there' | 'away' | 'gone'

/** Confirmations of one partition by both witnesses. */
export interface Standing {
  /** Ends of what each of them last confirmed. */
  until: Record<Witness, BothClocks>
  /** The time at which the last renewal was sent that each of them confirmed (monotonic). */
  provenAt: Record<Witness, number>
  /** Since when it is held without a gap (monotonic). */
  since: number
  /** Both confirmations were over once: from then on both have to be there anew, but for a database that is away. */
  hasLapsed: boolean
}

/** A renewal that a witness confirmed. */
interface Confirmation {
  witness: Witness
  sentAt: BothClocks
  answeredAt: BothClocks
  database: Reach
}

const never: BothClocks = { monotonic: Number.NEGATIVE_INFINITY, wall: Number.NEGATIVE_INFINITY }

/** The standing of a partition that neither has confirmed. */
export const unconfirmed: Standing = {
  until: { bus: never, database: never },
  provenAt: { bus: never.monotonic, database: never.monotonic },
  since: never.monotonic,
  hasLapsed: true,
}

/**
 * True while the partition is surely held: the row says so, or the lease where the database is away. Whoever can ask the
 * database does not go by the bus alone, which may be split.
 */
export function isStanding({ until, hasLapsed }: Standing, at: BothClocks, database: Reach): boolean {
  return !hasLapsed && (isHeld(until.database, at) || (database !== 'there' && isHeld(until.bus, at)))
}

/** Returns the standing after a confirmation. Behind a gap one witness that was rolled back must not suffice. */
export function confirm(standing: Standing, confirmation: Confirmation, term: LeaseTerm): Standing {
  const { witness, sentAt, answeredAt, database } = confirmation
  const until = { ...standing.until, [witness]: deadlineOf(sentAt, term) }
  const provenAt = { ...standing.provenAt, [witness]: sentAt.monotonic }
  const confirmed = { ...standing, until, provenAt }
  if (isStanding(standing, answeredAt, database)) return confirmed
  const isRowSure = database === 'gone' || isHeld(until.database, answeredAt)
  const isRegained = isHeld(until.bus, answeredAt) && isRowSure
  return isRegained
    ? { ...confirmed, since: answeredAt.monotonic, hasLapsed: false }
    : { ...confirmed, hasLapsed: true }
}

/** Returns since when the partition is held, and by a renewal of when each witness shows it that is not away. */
export function tenureIn(standing: Standing, epoch: number, database: Reach): NumberedTenure {
  const { provenAt, since } = standing
  const isBusFirst = database !== 'there' || provenAt.bus < provenAt.database
  return { since, provenAt: isBusFirst ? provenAt.bus : provenAt.database, epoch }
}

/** Attempts that failed in a row, each soon after the one before (monotonic): when the first one was sent, and the last failed. */
export interface Failures {
  since: number
  lastAt: number
}

/**
 * Returns the failures with one more. Attempts that lie apart, and one that took longer than its deadline, say nothing of the
 * time between: the process stood still.
 */
export function noteFailure(before: Failures | undefined, sentAt: number, at: number): Failures {
  const isNext = before !== undefined && at - before.lastAt <= attemptsApartMs
  const hasStoodStill = at - sentAt > attemptsApartMs
  return { since: isNext ? before.since : hasStoodStill ? at : sentAt, lastAt: at }
}

/** Returns how far a database can be asked that failed so, or not at all. */
export function reachOf(failures: Failures | undefined, at: number): Reach {
  if (failures === undefined || at - failures.lastAt > attemptsApartMs) return 'there'
  const failingMs = failures.lastAt - failures.since
  if (failingMs >= goneAfterMs) return 'gone'
  return failingMs >= awayAfterMs ? 'away' : 'there'
}
