import { z } from 'zod'
import { DecimalText } from './decimal.ts'
import { Exchange, MarketType } from './exchange.ts'
import { BotId, UserId } from './id.ts'
import { alertFormats } from './language/formats/alert-format.ts'

/** Whether a bot trades: everything, only what shrinks a position, or nothing. */
export const TradingState = z.enum(['active', 'reducing', 'halted'])
export type TradingState = z.infer<typeof TradingState>

/** A label as users write it: letters, digits, hyphens, underscores and spaces, 1 to 50 characters. */
export const BotLabel = z
  .string()
  .min(1, 'Label is required')
  .regex(
    /^[A-Za-z0-9_ -]{0,50}$/,
    'Invalid label: Label can only contain letters, numbers, hyphens, underscores, and spaces (max 50 characters)',
  )

/** What every service needs to know of a bot; no secret is in it. */
export const BotConfig = z.object({
  id: BotId,
  label: BotLabel,
  exchange: Exchange,
  marketType: MarketType,
  isTestnet: z.boolean(),
  tradingState: TradingState,
  maxEntryAgeS: z.int().positive(),
  /** The most that one order may be worth, in the quote currency; absent where nothing limits it. */
  maxOrderValue: DecimalText.optional(),
})
export type BotConfig = z.infer<typeof BotConfig>

/** The form in which the alerts of a webhook are read; `tripline` is our own language, as text or as JSON. */
export const AlertFormat = z.enum(alertFormats)

/** A user's webhook as intake needs it: the token is known by its SHA-256 (hex) only. */
const WebhookConfig = z.object({
  tokenHash: z.string().regex(/^[0-9a-f]{64}$/),
  isActive: z.boolean(),
  maxRequestsPerMinute: z.int().min(1).max(60),
  alertFormat: AlertFormat.default('tripline'),
  /** Whether only TradingView's addresses may call it; absent where any may. */
  onlyTradingview: z.boolean().optional(),
})
export type WebhookConfig = z.infer<typeof WebhookConfig>

/** The whole state of a user in the `config` bucket, under the user's id; a higher version is newer. */
export const UserConfig = z.object({
  userId: UserId,
  version: z.int().nonnegative(),
  webhook: WebhookConfig,
  bots: z.array(BotConfig),
})
export type UserConfig = z.infer<typeof UserConfig>

/** A bot's credentials in the `credentials` bucket, under the bot's id; only the executor can open them. */
export const SealedCredentials = z.object({ userId: UserId, botId: BotId, sealed: z.string() })
export type SealedCredentials = z.infer<typeof SealedCredentials>

/** What a seal of credentials holds, once opened. */
export const Credentials = z.object({
  apiKey: z.string().min(1).max(256),
  secret: z.string().min(1).max(4096),
})
export type Credentials = z.infer<typeof Credentials>

/** What a seal of credentials is bound to, so that it opens for no other bot, user, venue or network. */
export function credentialContext(bot: {
  userId: UserId
  botId: BotId
  exchange: Exchange
  isTestnet: boolean
}): string {
  return `v1|${bot.userId}|${bot.botId}|${bot.exchange}|${bot.isTestnet ? 'testnet' : 'mainnet'}`
}
