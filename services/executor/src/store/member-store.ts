import { openBucket, watchBucket } from '@tripline/kit/bucket'
import type { Bus } from '@tripline/kit/bus'

/** The executors that say they are there, in the bucket `members`. */
export interface MemberStore {
  /** Says that this one is there. */
  beat: (member: string, at: number) => Promise<void>
  leave: (member: string) => Promise<void>
  /** Tells who lies there, then each beat, and who left; answers how to stop. */
  watch: (onMember: (member: string, hasLeft: boolean) => void) => Promise<() => void>
}

/** Opens the members of the bus. */
export async function openMemberStore(bus: Bus): Promise<MemberStore> {
  const bucket = await openBucket(bus, 'members')
  return {
    beat: async (member, at) => void (await bucket.put(member, JSON.stringify({ seenAt: at }))),
    leave: async (member) => await bucket.remove(member),
    watch: async (onMember) =>
      await watchBucket(bus, 'members', ({ key, text }) => onMember(key, text === undefined)),
  }
}
