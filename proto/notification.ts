import { z } from 'zod'
import { BotId, UserId } from './id.ts'

/** A Telegram bot's token as its maker shows it. It becomes a part of a path, so nothing else is taken. */
export const BotToken = z
  .string()
  .min(11, 'The bot token must be longer than 10 characters')
  .max(128, 'The bot token is too long')
  .regex(/^\d+:[A-Za-z0-9_-]+$/, 'A bot token looks like 123456789:ABCdef')

/** The numeric id of a Telegram chat; groups have negative ones. */
export const ChatId = z.string().regex(/^-?\d{1,16}$/, 'The chat id must be a number')

/** The notifications that one bot's owner wants. */
const BotSwitches = z.object({
  id: BotId,
  label: z.string(),
  onTrade: z.boolean(),
  onError: z.boolean(),
  onFill: z.boolean(),
})
export type BotSwitches = z.infer<typeof BotSwitches>

/** A user's entry in the bucket `notifications`; a higher version is newer. Only the notifier opens the seal. */
export const NotificationConfig = z.object({
  userId: UserId,
  version: z.int().nonnegative(),
  isEnabled: z.boolean(),
  sealedToken: z.string().nullable(),
  chatId: ChatId.nullable(),
  bots: z.array(BotSwitches),
})
export type NotificationConfig = z.infer<typeof NotificationConfig>

/** Binds the seal of a bot token to its user, so that it opens for no other. */
export function botTokenContext(userId: UserId): string {
  return `v1|${userId}|telegram`
}
