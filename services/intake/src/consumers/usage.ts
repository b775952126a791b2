import type { Bus } from '@tripline/kit/bus/bus'
import { serve } from '@tripline/kit/bus/request'
import { getWebhookUsage } from '@tripline/proto/intake-request'
import { sessionKey } from '../claim-key.ts'
import type { RateLimit } from '../store/rate-limit.ts'
import type { Senders } from '../store/senders.ts'
import type { Webhooks } from './webhooks.ts'

interface UsageDeps {
  bus: Bus
  clock: () => number
  webhooks: Webhooks
  rateLimit: RateLimit
  sessionPerMinute: number
  senders: Senders
  isTradingview: (address: string) => boolean
}

/** Serves how much of a webhook's limit is used and who called it; returns an unsubscribe function. */
export function serveUsage({
  bus,
  clock,
  webhooks,
  rateLimit,
  sessionPerMinute,
  senders,
  isTradingview,
}: UsageDeps): () => void {
  return serve(bus, getWebhookUsage, async ({ userId }) => {
    const webhook = webhooks.ofUser(userId)
    if (webhook === undefined) return { usedLastMinute: 0, senders: [] }
    const [usedLastMinute, usedBySession, seen] = await Promise.all([
      rateLimit.used(webhook.tokenHash, clock()),
      rateLimit.used(sessionKey(userId), clock()),
      senders.list(webhook.tokenHash),
    ])
    return {
      usedLastMinute,
      session: { usedLastMinute: usedBySession, maxPerMinute: sessionPerMinute },
      senders: seen.map((sender) => ({ ...sender, isTradingview: isTradingview(sender.address) })),
    }
  })
}
