import { type BucketChange, watchBucket } from '@tripline/kit/bucket'
import type { Bus } from '@tripline/kit/bus'
import type { UserId } from '@tripline/proto/id'
import { UserConfig } from '@tripline/proto/user-config'
import { type Webhook, webhookOf } from '../domain/webhook.ts'

/** All webhooks, as the configuration stands at this moment. */
export interface Webhooks {
  byTokenHash: (tokenHash: string) => Webhook | undefined
  ofUser: (userId: UserId) => Webhook | undefined
  count: () => number
  stop: () => void
}

/** Follows every user's configuration; answers once all of it is known. */
export async function watchWebhooks(bus: Bus): Promise<Webhooks> {
  const configs = new Map<string, UserConfig>()
  const webhooks = new Map<string, Webhook>()
  const forget = (key: string): void => {
    const known = configs.get(key)
    if (known !== undefined) webhooks.delete(known.webhook.tokenHash)
    configs.delete(key)
  }
  const apply = ({ key, text }: BucketChange): void => {
    const config = text === undefined ? undefined : readConfig(bus, key, text)
    if (config !== undefined && config.version < (configs.get(key)?.version ?? 0)) return
    forget(key)
    if (config === undefined) return
    configs.set(key, config)
    webhooks.set(config.webhook.tokenHash, webhookOf(config))
  }
  const stop = await watchBucket(bus, 'config', apply)
  return {
    byTokenHash: (tokenHash) => webhooks.get(tokenHash),
    ofUser: (userId) => webhooks.get(configs.get(userId)?.webhook.tokenHash ?? ''),
    count: () => webhooks.size,
    stop,
  }
}

// A state that cannot be read counts as none: a token that it may have ended must not live on.
function readConfig(bus: Bus, key: string, text: string): UserConfig | undefined {
  try {
    return UserConfig.parse(JSON.parse(text))
  } catch (error) {
    bus.log.error({ err: error, userId: key }, 'configuration is not readable')
    return undefined
  }
}
