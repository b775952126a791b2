/** How often a member says that it is there. */
export const beatMs = 1000
// Shorter than the takeover of a lease: who died counts no more when its partitions become free.
const absentAfterMs = 3000

/** What one has heard of a member. What lies there when one begins to listen may be years old: that is no beat. */
export interface HeardMember {
  beats: number
  /** When (monotonic) it was last heard. */
  heardAt: number
}

/** True while the member takes part in sharing. */
export function isPresent({ beats, heardAt }: HeardMember, monotonicNow: number): boolean {
  return beats > 0 && monotonicNow - heardAt < absentAfterMs
}
