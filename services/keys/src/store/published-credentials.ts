import type { Bucket } from '@tripline/kit/bus/bucket'
import type { BotId } from '@tripline/proto/id'
import type { SealedCredentials } from '@tripline/proto/user-config'

/** Makes sure that a bot's sealed credentials are in the bucket. */
export async function putCredentials(bucket: Bucket, credentials: SealedCredentials): Promise<void> {
  const text = JSON.stringify(credentials)
  const entry = await bucket.get(credentials.botId)
  if (entry?.text !== text) await bucket.put(credentials.botId, text)
}

/** Makes sure that the sealed credentials of a bot that is gone are not in the bucket, nor a mark of them. */
export async function removeCredentials(bucket: Bucket, botId: BotId): Promise<void> {
  // Executors receive its mark. An executor that was away knows of the bot's end by its user's configuration.
  if ((await bucket.get(botId)) !== undefined) await bucket.remove(botId)
  await bucket.erase(botId)
}
