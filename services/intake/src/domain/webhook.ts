import type { UserId } from '@tripline/proto/id'
import type { AlertFormat } from '@tripline/proto/language/formats/alert-format'
import type { KnownBot } from '@tripline/proto/language/label'
import type { BotConfig, UserConfig } from '@tripline/proto/user-config'

/** A user's webhook with the bots an alert on it may name. */
export interface Webhook {
  userId: UserId
  tokenHash: string
  isActive: boolean
  maxRequestsPerMinute: number
  alertFormat: AlertFormat
  /** Whether only TradingView's addresses may call it, and its owner. */
  onlyTradingview: boolean
  bots: readonly KnownBot[]
  botsByLabel: ReadonlyMap<string, BotConfig>
}

/** The webhook that a user's configuration describes. */
export function webhookOf({ userId, webhook, bots }: UserConfig): Webhook {
  return {
    userId,
    ...webhook,
    onlyTradingview: webhook.onlyTradingview ?? false,
    bots: bots.map(({ label, marketType }) => ({
      label,
      market: marketType === 'spot' ? 'spot' : 'futures',
    })),
    botsByLabel: new Map(bots.map((bot) => [bot.label, bot])),
  }
}
