/** Time between beats of a member. */
export const beatMs = 1000
// Shorter than the takeover of a lease: a member that died does not count any more when its partitions become free.
const absentAfterMs = 3000

/** A member as its beats were received. Entries from before the listening may be years old: they are no beat. */
export interface SeenMember {
  beats: number
  /** Time (monotonic) at which it last reported. */
  seenAt: number
}

/** True while the member takes part in sharing. */
export function isPresent({ beats, seenAt }: SeenMember, monotonicNow: number): boolean {
  return beats > 0 && monotonicNow - seenAt < absentAfterMs
}
