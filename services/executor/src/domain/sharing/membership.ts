/** Time between beats of a member. */
export const beatMs = 1000
// Shorter than the takeover of a lease: who died counts no more when its partitions become free.
const absentAfterMs = 3000

/** A member as its beats were received. Entries from before the listening may be years old: they are no beat. */
export interface HeardMember {
  beats: number
  /** When (monotonic) it was last heard. */
  heardAt: number
}

/** True while the member takes part in sharing. */
export function isPresent({ beats, heardAt }: HeardMember, monotonicNow: number): boolean {
  return beats > 0 && monotonicNow - heardAt < absentAfterMs
}
