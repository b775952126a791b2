/** Time between beats of a member. */
export const beatMs = 1000
// Shorter than the takeover of a lease: who died counts no more when its partitions become free.
const absentAfterMs = 3000

/** A member as its beats were received. Entries from before the listening may be years old: they are no beat. */
export interface SeenMember {
  beats: number
  /** When (monotonic) it was last heard. */
  seenAt: number
}

/** True while the member takes part in sharing. */
export function isPresent({ beats, seenAt }: SeenMember, monotonicNow: number): boolean {
  return beats > 0 && monotonicNow - seenAt < absentAfterMs
}
