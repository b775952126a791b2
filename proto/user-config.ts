import { z } from 'zod'
import { DecimalText } from './decimal.ts'
import { Exchange, MarketType } from './exchange.ts'
import { BotId, UserId } from './id.ts'
import { alertFormats } from './language/formats/alert-format.ts'

/** Whether a bot trades: everything, only what shrinks a position, or nothing. */
export const TradingState = z.enum(['active', 'reducing', 'halted'])
export type TradingState = z.infer<typeof TradingState>

/** A label as it is stored: letters, digits, hyphens, underscores and spaces, 1 to 50 characters. */
export const BotLabel = withLabelRules(z.string())

/** A label as users write it; blanks around it are dropped and those inside become one, as the language reads them. */
export const NewBotLabel = withLabelRules(z.string().overwrite(tidyLabel))

/** Returns the label with no blanks around it and one at most between its words. */
export function tidyLabel(label: string): string {
  return label.trim().replace(/ +/g, ' ')
}

function withLabelRules(text: z.ZodString): z.ZodString {
  return text
    .min(1, 'Label is required')
    .regex(
      /^[A-Za-z0-9_ -]{0,50}$/,
      'Invalid label: Label can only contain letters, numbers, hyphens, underscores, and spaces (max 50 characters)',
    )
}

/** Time for which exits and cancels of a bot are tried where nothing else is set for it. */
export const usualExitRetryS = 600

/** The SHA-256 (hex) of an address's token, by which alone it is known outside of keys. */
const TokenHash = z.string().regex(/^[0-9a-f]{64}$/)

/** The facts of a bot that every service needs; no secret is in it. */
export const BotConfig = z.object({
  id: BotId,
  label: BotLabel,
  exchange: Exchange,
  marketType: MarketType,
  isTestnet: z.boolean(),
  tradingState: TradingState,
  maxEntryAgeS: z.int().positive(),
  /** The time for which an exit or a cancel is tried that the exchange does not take; 0: no longer than an entry. */
  exitRetryS: z.int().nonnegative().default(usualExitRetryS),
  /** The most that one order may be worth, in the quote currency; absent where nothing limits it. */
  maxOrderValue: DecimalText.optional(),
  /** Token hash of the address at which alerts for this bot may only close; absent where it has none. */
  closeOnlyTokenHash: TokenHash.optional(),
})
export type BotConfig = z.infer<typeof BotConfig>

/** The form in which the alerts of a webhook are read; `tripline` is our own language, as text or as JSON. */
export const AlertFormat = z.enum(alertFormats)

/** A user's webhook as intake needs it. */
const WebhookConfig = z.object({
  tokenHash: TokenHash,
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

const UnreadableBot = z.object({ id: BotId, label: BotLabel, closeOnlyTokenHash: TokenHash.optional() })
/** A bot that this version cannot read: a newer one wrote its settings. */
export type UnreadableBot = z.infer<typeof UnreadableBot>

/**
 * A user's state as it is stored, and as far as this version can read it: a bot that it cannot is set aside and costs the
 * others nothing.
 */
export const StoredUserConfig = UserConfig.extend({ bots: z.array(z.unknown()) }).transform((stored) => {
  const bots: BotConfig[] = []
  const unreadable: UnreadableBot[] = []
  for (const bot of stored.bots) {
    const config = BotConfig.safeParse(bot).data
    if (config !== undefined) bots.push(config)
    else unreadable.push(...(UnreadableBot.array().safeParse([bot]).data ?? []))
  }
  return { config: { ...stored, bots }, unreadable }
})
export type StoredUserConfig = z.infer<typeof StoredUserConfig>

/** A bot's credentials in the `credentials` bucket, under the bot's id; only the executor can open them. */
export const SealedCredentials = z.object({ userId: UserId, botId: BotId, sealed: z.string() })
export type SealedCredentials = z.infer<typeof SealedCredentials>

/** The content of a seal of credentials, once opened. */
export const Credentials = z.object({
  apiKey: z.string().min(1).max(256),
  secret: z.string().min(1).max(4096),
  /** Signs beside the secret at OKX; other exchanges have none. */
  passphrase: z.string().min(1).max(256).optional(),
})
export type Credentials = z.infer<typeof Credentials>

/** Binds a seal of credentials to its bot, so that it opens for no other bot, user, venue or network. */
export function credentialContext(bot: {
  userId: UserId
  botId: BotId
  exchange: Exchange
  isTestnet: boolean
}): string {
  return `v1|${bot.userId}|${bot.botId}|${bot.exchange}|${bot.isTestnet ? 'testnet' : 'mainnet'}`
}
