/** A renewal is good for this long from the moment it was sent. */
const leaseMs = 2500
/** A lease that others see unchanged for this long is over; longer than the lease itself, so that no two hold it. */
const takeoverMs = 3500
/** How often a lease is renewed. */
export const renewalMs = 1000

/** A moment on both clocks: the monotonic one does not jump, the wall clock goes on while a machine sleeps. */
export interface BothClocks {
  monotonic: number
  wall: number
}

/** The last moment at which something may be placed under a renewal that was sent at this one. */
export function deadlineOf(renewalSentAt: BothClocks): BothClocks {
  return { monotonic: renewalSentAt.monotonic + leaseMs, wall: renewalSentAt.wall + leaseMs }
}

/** True while both clocks are before the deadline. */
export function isHeld(deadline: BothClocks, at: BothClocks): boolean {
  return at.monotonic < deadline.monotonic && at.wall < deadline.wall
}

/** What one sees of a lease that somebody holds: the revision, and since when it has been that. */
export interface SeenLease {
  revision: number
  isReleased: boolean
  unchangedSince: number
}

/** True when the lease may be claimed: nobody ever had it, it was released, or its holder has been silent too long. */
export function mayClaim(seen: SeenLease | undefined, monotonicNow: number): boolean {
  if (seen === undefined || seen.isReleased) return true
  return monotonicNow - seen.unchangedSince >= takeoverMs
}

/**
 * From when on an order of the former holder that is not found can no longer arrive, in wall time: its deadline lay at
 * the latest one lease after its revision was first seen, then come the receive window and a second for the clocks.
 */
export function absenceCountsAfterTakeover(seen: SeenLease, at: BothClocks, receiveWindowMs: number): number {
  const lastPlacing = at.wall - (at.monotonic - seen.unchangedSince) + leaseMs
  return lastPlacing + receiveWindowMs + 1000
}
