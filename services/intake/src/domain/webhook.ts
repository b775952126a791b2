import type { UserId } from '@tripline/proto/id'
import type { AlertFormat } from '@tripline/proto/language/formats/alert-format'
import type { KnownBot } from '@tripline/proto/language/label'
import type { BotConfig, UnreadableBot, UserConfig } from '@tripline/proto/user-config'

/** A user's webhook, or the close-only address of one bot, with the bots an alert on it may name. */
export interface Webhook {
  userId: UserId
  tokenHash: string
  isActive: boolean
  maxRequestsPerMinute: number
  alertFormat: AlertFormat
  /** Whether only TradingView's addresses may call it, and its owner. */
  onlyTradingview: boolean
  bots: readonly KnownBot[]
  /** The bots that alerts can be sent to; of the known ones those are missing that a newer version wrote. */
  botsByLabel: ReadonlyMap<string, BotConfig>
  /** All bots of the user, where the address is the close-only one of a single bot. */
  closeOnlyAmong?: readonly KnownBot[]
}

/** The addresses that a user's configuration describes: the webhook, and each bot's close-only one. */
export function webhooksOf(
  { userId, webhook, bots }: UserConfig,
  unreadable: readonly UnreadableBot[] = [],
): { webhook: Webhook; closeOnly: Webhook[] } {
  const known = [
    ...bots.map((bot) => ({ bot, ...bot, market: marketOf(bot) })),
    ...unreadable.map((bot) => ({ bot: undefined, ...bot, market: 'futures' as const })),
  ]
  const all: KnownBot[] = known.map(({ label, market }) => ({ label, market }))
  const main: Webhook = {
    userId,
    ...webhook,
    onlyTradingview: webhook.onlyTradingview ?? false,
    bots: all,
    botsByLabel: new Map(bots.map((bot) => [bot.label, bot])),
  }
  const closeOnly = known.flatMap(({ bot, label, market, closeOnlyTokenHash: tokenHash }) => {
    if (tokenHash === undefined) return []
    const botsByLabel = new Map(bot === undefined ? [] : [[label, bot]])
    return [{ ...main, tokenHash, bots: [{ label, market }], botsByLabel, closeOnlyAmong: all }]
  })
  return { webhook: main, closeOnly }
}

/** The only bot that alerts at a close-only address may name; undefined for a user's webhook. */
export function onlyBotOf({ closeOnlyAmong, botsByLabel }: Webhook): BotConfig | undefined {
  if (closeOnlyAmong === undefined) return undefined
  const [bot] = botsByLabel.values()
  return bot
}

function marketOf({ marketType }: BotConfig): KnownBot['market'] {
  return marketType === 'spot' ? 'spot' : 'futures'
}
