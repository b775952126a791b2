import type { Bucket } from '@tripline/kit/bus/bucket'
import type { UserId } from '@tripline/proto/id'
import { z } from 'zod'

const longestRace = 50
const Versioned = z.object({ version: z.int() })

/** A user's state, or a part of it, of one version. */
interface UserPart {
  userId: UserId
  version: number
}

/** Writes a user's state to the bucket unless it, or a newer one, is there already; false when a newer one is. */
export async function putUnlessNewer(bucket: Bucket, part: UserPart): Promise<boolean> {
  const text = JSON.stringify(part)
  for (let attempt = 0; attempt < longestRace; attempt++) {
    const entry = await bucket.get(part.userId)
    if (entry?.text === text) return true
    // Only the version is read: what an older release wrote may lack the rest, and then it is written anew.
    if (entry !== undefined && Versioned.parse(JSON.parse(entry.text)).version > part.version) return false
    if ((await bucket.putIf(part.userId, text, entry?.revision ?? 0)) !== undefined) return true
  }
  throw new Error(`The state of user ${part.userId} was overtaken ${longestRace} times`)
}
