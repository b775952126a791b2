/** How long a lease lasts, for its holder and for the others. */
export interface LeaseTerm {
  /** A renewal is good for this long from the moment it was sent. */
  leaseMs: number
  /** A lease that others see unchanged for this long is over; longer than the lease itself, so that no two hold it. */
  takeoverMs: number
}

/** The term that all executors keep to. */
export const usualTerm: LeaseTerm = { leaseMs: 2500, takeoverMs: 3500 }
/** A free partition waits this long for the one it falls to, who may be starting or dying. */
const leftOverMs = 1500
/** Who has its share leaves it for so much longer to those who lack. */
const satedMs = 750
/** How often a lease is renewed. */
export const renewalMs = 1000

/** How soon a renewal that failed is tried again. */
export const renewAgainMs = 50

/** How surely something is ours: only what is held may be acted upon, and what is gone will not come back. */
export type Hold = 'held' | 'unsure' | 'gone'

/** A moment on both clocks: the monotonic one (the kit's) does not jump, the wall clock goes on in a machine's sleep. */
export interface BothClocks {
  monotonic: number
  wall: number
}

/** The last moment at which something may be placed under a renewal that was sent at this one. */
export function deadlineOf(renewalSentAt: BothClocks, { leaseMs } = usualTerm): BothClocks {
  return { monotonic: renewalSentAt.monotonic + leaseMs, wall: renewalSentAt.wall + leaseMs }
}

/** True while both clocks are before the deadline. */
export function isHeld(deadline: BothClocks, at: BothClocks): boolean {
  return at.monotonic < deadline.monotonic && at.wall < deadline.wall
}

/** What one sees of a lease that somebody holds: the revision, and since when (monotonic) it has been that. */
export interface SeenLease {
  revision: number
  isReleased: boolean
  unchangedSince: number
}

/** True when the lease may be claimed: nobody ever had it, it was released, or its holder has been silent too long. */
export function mayClaim(seen: SeenLease | undefined, monotonicNow: number, term = usualTerm): boolean {
  return seen === undefined || monotonicNow >= freeSince(seen, term)
}

/** True when a lease is still free although it fell to another one some time ago: then anybody takes it, first who lacks. */
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

function freeSince({ isReleased, unchangedSince }: SeenLease, { takeoverMs }: LeaseTerm): number {
  return isReleased ? unchangedSince : unchangedSince + takeoverMs
}

/**
 * From when on, by the monotonic clock, an order of the former holder that is not found can no longer arrive: its
 * deadline lay at the latest one lease after its revision was first seen, then come the receive window and a second for
 * clocks that differ.
 */
export function absenceCountsAfterTakeover(
  { unchangedSince }: SeenLease,
  receiveWindowMs: number,
  { leaseMs } = usualTerm,
): number {
  return unchangedSince + leaseMs + receiveWindowMs + 1000
}
