import { type BucketChange, watchBucket } from '@tripline/kit/bus/bucket'
import type { Bus } from '@tripline/kit/bus/bus'
import type { UserId } from '@tripline/proto/id'
import { StoredUserConfig } from '@tripline/proto/user-config'
import { type Webhook, webhooksOf } from '../domain/webhook.ts'

/** All webhooks, as the configuration stands at this moment. */
export interface Webhooks {
  /** The webhook, or the close-only address of a bot, that has this token. */
  byTokenHash: (tokenHash: string) => Webhook | undefined
  /** A user's webhook. */
  ofUser: (userId: UserId) => Webhook | undefined
  /** The number of users with a webhook. */
  count: () => number
  stop: () => void
}

/** Follows every user's configuration; resolves once all of it is known. */
export async function watchWebhooks(bus: Bus): Promise<Webhooks> {
  const users = new Map<string, { version: number; webhook: Webhook; tokenHashes: string[] }>()
  const byTokenHash = new Map<string, Webhook>()
  const forget = (key: string): void => {
    for (const tokenHash of users.get(key)?.tokenHashes ?? []) byTokenHash.delete(tokenHash)
    users.delete(key)
  }
  const apply = ({ key, text }: BucketChange): void => {
    const read = text === undefined ? undefined : readConfig(bus, key, text)
    if (read !== undefined && read.config.version < (users.get(key)?.version ?? 0)) return
    forget(key)
    if (read === undefined) return
    const { webhook, closeOnly } = webhooksOf(read.config, read.unreadable)
    const all = [...closeOnly, webhook]
    for (const each of all) byTokenHash.set(each.tokenHash, each)
    const tokenHashes = all.map(({ tokenHash }) => tokenHash)
    users.set(key, { version: read.config.version, webhook, tokenHashes })
  }
  const stop = await watchBucket(bus, 'config', apply)
  return {
    byTokenHash: (tokenHash) => byTokenHash.get(tokenHash),
    ofUser: (userId) => users.get(userId)?.webhook,
    count: () => users.size,
    stop,
  }
}

// A state that cannot be read counts as none: a token that it may have ended must not live on.
function readConfig(bus: Bus, key: string, text: string): StoredUserConfig | undefined {
  try {
    return StoredUserConfig.parse(JSON.parse(text))
  } catch (error) {
    bus.log.error({ err: error, userId: key }, 'configuration is not readable')
    return undefined
  }
}
