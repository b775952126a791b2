import { openBucket, watchBucket } from '@tripline/kit/bus/bucket'
import type { Bus } from '@tripline/kit/bus/bus'
import { z } from 'zod'

export const Beat = z.object({
  seenAt: z.number(),
  isTaking: z.boolean(),
  drifts: z.number().default(0),
  rolledBackAt: z.number().optional(),
})
/**
 * Report of a member: when it was there, whether it is taking partitions over just then, how many kinds of fields it was
 * sent today that were new or could not be read, and when the bus was found to have been rolled back last.
 */
export type Beat = z.infer<typeof Beat>

/** The executors that say they are there, in the bucket `members`. */
export interface MemberStore {
  beat: (member: string, beat: Beat) => Promise<void>
  leave: (member: string) => Promise<void>
  /** Reports the stored members, then each beat, and each member that left (no beat); returns a function that stops it. */
  watch: (onMember: (member: string, beat: Beat | undefined) => void) => Promise<() => void>
}

/** Opens the members of the bus. */
export async function openMemberStore(bus: Bus): Promise<MemberStore> {
  const bucket = await openBucket(bus, 'members')
  return {
    beat: async (member, beat) => void (await bucket.put(member, JSON.stringify(beat))),
    leave: async (member) => await bucket.remove(member),
    watch: async (onMember) =>
      await watchBucket(bus, 'members', ({ key, text }) => {
        onMember(key, text === undefined ? undefined : Beat.parse(JSON.parse(text)))
      }),
  }
}
