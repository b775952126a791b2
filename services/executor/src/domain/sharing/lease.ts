/** Term of a lease, for its holder and for the others. */
export interface LeaseTerm {
  /** A renewal is valid for this long from the moment it was sent. */
  leaseMs: number
  /** A lease that others see unchanged for this long is over; longer than the lease itself, so that no two hold it. */
  takeoverMs: number
}

/** The term that all executors use. */
export const usualTerm: LeaseTerm = { leaseMs: 2500, takeoverMs: 3500 }
/** A free partition waits this long for the one it falls to, who may be starting or dying. */
const leftOverMs = 1500
/** Members with their share leave it for so much longer to those who lack. */
const satedMs = 750
/** After so many owners in a row that died before they had run what they found, a partition is run carefully. */
const carefulAfterDeaths = 2
/** Time between renewals of a lease. */
export const renewalMs = 1000
/** Moments of that time in which leases are renewed. */
const renewalMoments = 8
/** A timer may fire so much before its time. */
const timerSlackMs = 2

/** Most by which clocks of the servers of the bus differ, or are set while a lease lasts. */
export const busClocksMs = 10_000

/** Time before a failed renewal is tried again. */
export const renewAgainMs = 50

/** A store of leases that shows no sign of life for this long may have no leader: otherwise a lease is renewed each second. */
const storeSilenceMs = 1500
/** Time before a store without a sign is asked. */
const askStoreAfterMs = 500

/** True when silence says nothing of the holders: the store may take no renewals at all. */
export function isStoreSilent(storeSeenAt: number, monotonicNow: number): boolean {
  return monotonicNow - storeSeenAt > storeSilenceMs
}

/** True when only the store itself can show that it works. */
export function isStoreToBeAsked(storeSeenAt: number, monotonicNow: number): boolean {
  return monotonicNow - storeSeenAt > askStoreAfterMs
}

/**
 * Returns the time until the next renewal of a partition's lease, in ms. Leases share eight moments of a second: each renewal
 * alone would cost a write and two wake-ups, and all in one moment would hold up its orders.
 */
export function untilRenewal(partition: number, monotonicNow: number): number {
  const offsetMs = (renewalMs / renewalMoments) * (partition % renewalMoments)
  const leftMs = renewalMs - ((monotonicNow - offsetMs + renewalMs) % renewalMs)
  return leftMs <= timerSlackMs ? leftMs + renewalMs : leftMs
}

/** Certainty that something is ours: only what is held may be acted upon, and what is gone will not come back. */
export type Hold = 'held' | 'unsure' | 'gone'

/** True for a partition that is run carefully: an alert that is stored there may be the cause of its owners' deaths. */
export function runsCarefully(deaths: number): boolean {
  return deaths >= carefulAfterDeaths
}

/** A moment on both clocks: the monotonic one (the kit's) does not jump, the wall clock goes on in a machine's sleep. */
export interface BothClocks {
  monotonic: number
  wall: number
}

/** The last moment at which something may be signed under a renewal that was sent at this one. */
export function deadlineOf(renewalSentAt: BothClocks, { leaseMs } = usualTerm): BothClocks {
  return { monotonic: renewalSentAt.monotonic + leaseMs, wall: renewalSentAt.wall + leaseMs }
}

/** True while both clocks are before the deadline. */
export function isHeld(deadline: BothClocks, at: BothClocks): boolean {
  return at.monotonic < deadline.monotonic && at.wall < deadline.wall
}

/**
 * A partition while it is surely held, by the monotonic clock: since when that was so without a gap, and when the renewal
 * was sent that shows it.
 */
export interface Tenure {
  since: number
  provenAt: number
}

/** The same with the epoch of its owner, which goes into the record of what is sent. */
export interface NumberedTenure extends Tenure {
  epoch: number
}

/**
 * True where a request that changes something at a venue may be signed: the lease is held, by a renewal that was sent
 * after the last moment at which our clocks were found to be wrong; and what the change was decided on was seen, where
 * that counts, under this very tenure and by these clocks.
 */
export function maySign(tenure: Tenure | undefined, doubtedAt: number, seenAt?: number): boolean {
  if (tenure === undefined || tenure.provenAt <= doubtedAt) return false
  return seenAt === undefined || (seenAt >= tenure.since && seenAt > doubtedAt)
}

/** A view of a lease: the revision, and since when (monotonic) it has been that. */
export interface SeenLease {
  revision: number
  isReleased: boolean
  unchangedSince: number
  /** Set where the holder is proven to be gone: by when (monotonic) it was. */
  goneBy?: number | undefined
}

/**
 * True when the lease may be claimed: it was never held, it was released, its holder is gone, or has been silent too
 * long.
 */
export function mayClaim(seen: SeenLease | undefined, monotonicNow: number, term = usualTerm): boolean {
  return seen === undefined || monotonicNow >= freeSince(seen, term)
}

/** True when a lease is free some time after it fell to another one: then any executor takes it, first one that lacks some. */
export function isLeftOver(
  seen: SeenLease | undefined,
  { startedAt, isSated }: { startedAt: number; isSated: boolean },
  monotonicNow: number,
  term = usualTerm,
): boolean {
  const freeForMs = monotonicNow - (seen === undefined ? startedAt : freeSince(seen, term))
  return freeForMs >= leftOverMs + (isSated ? satedMs : 0)
}

/** True for a lease that changes hands: its holder let it go only just. */
export function isBetweenHands(
  { isReleased, unchangedSince }: SeenLease,
  monotonicNow: number,
  { takeoverMs } = usualTerm,
): boolean {
  return isReleased && monotonicNow - unchangedSince < takeoverMs
}

function freeSince({ isReleased, unchangedSince, goneBy }: SeenLease, { takeoverMs }: LeaseTerm): number {
  return isReleased || goneBy !== undefined ? unchangedSince : unchangedSince + takeoverMs
}

/**
 * Returns the moment, by the clock of the bus, from which the former holder cannot have begun a stored alert: the renewal that
 * the bus stored last was sent before that, the row was renewed for one lease after its sending at most, and nothing is
 * signed, or emitted, later than one lease after that.
 */
export function unbegunAfter(renewalStoredAt: number, { leaseMs } = usualTerm): number {
  return renewalStoredAt + 2 * leaseMs + busClocksMs
}

/**
 * From when on, by the monotonic clock, an order of the former holder that is not found can no longer arrive: it signed
 * nothing after it was gone, or else after its deadline, which lay at the latest one lease after its last renewal of lease
 * and row was first seen; then come the receive window and a second for clocks that differ.
 */
export function absenceCountsAfterTakeover(
  { unchangedSince, goneBy }: Pick<SeenLease, 'unchangedSince' | 'goneBy'>,
  receiveWindowMs: number,
  { leaseMs } = usualTerm,
): number {
  return (goneBy ?? unchangedSince + leaseMs) + receiveWindowMs + 1000
}
