import type { Bucket } from '@tripline/kit/bucket'
import { UserConfig } from '@tripline/proto/user-config'

const longestRace = 50
const Version = UserConfig.pick({ version: true })

/** Writes a user's state to the bucket unless a newer one, or just this one, is there already. */
export async function putUnlessNewer(bucket: Bucket, config: UserConfig): Promise<void> {
  const text = JSON.stringify(config)
  for (let attempt = 0; attempt < longestRace; attempt++) {
    const held = await bucket.get(config.userId)
    if (held?.text === text) return
    // Only the version is read: what an older release wrote may lack the rest, and then it is written anew.
    if (held !== undefined && Version.parse(JSON.parse(held.text)).version > config.version) return
    if ((await bucket.putIf(config.userId, text, held?.revision ?? 0)) !== undefined) return
  }
  throw new Error(`The state of user ${config.userId} was overtaken ${longestRace} times`)
}
