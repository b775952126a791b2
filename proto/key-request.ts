import { z } from 'zod'
import { Exchange, MarketType } from './exchange.ts'
import { BotId, UserId } from './id.ts'
import { requestContract } from './request.ts'
import { StorableText } from './storable-text.ts'
import { AlertFormat, BotLabel } from './user-config.ts'

const Bot = z.object({
  id: BotId,
  label: BotLabel,
  exchange: Exchange,
  marketType: MarketType,
  apiKeyPreview: z.string(),
  isTestnet: z.boolean(),
  notifyOnTrade: z.boolean(),
  notifyOnError: z.boolean(),
  notifyOnFill: z.boolean(),
  createdAt: z.iso.datetime(),
})
/** A bot as its owner may see it. */
export type Bot = z.infer<typeof Bot>

const NewBot = Bot.omit({ apiKeyPreview: true, createdAt: true })

/** Links an exchange account whose credentials were sealed to the executor; `conflict` when the label is taken. */
export const createBot = requestContract(
  'keys.bot.create',
  z.object({
    userId: UserId,
    bot: NewBot,
    /** Null for a Paper bot: an account is opened for it. */
    credentials: z.object({ sealed: z.string(), apiKeyPreview: StorableText }).nullable(),
  }),
  Bot,
)

/** All bots of a user, oldest first. */
export const listBots = requestContract(
  'keys.bot.list',
  z.object({ userId: UserId }),
  z.object({ bots: z.array(Bot) }),
)

/** Resets a Paper bot's account; `not_found` where the user has no such bot, `conflict` where it is no Paper bot. */
export const resetBot = requestContract(
  'keys.bot.reset',
  z.object({ userId: UserId, botId: BotId }),
  z.object({}),
)

const Webhook = z.object({
  /** The token of the webhook's URL, in clear: only its owner asks. */
  token: z.string(),
  isActive: z.boolean(),
  maxRequestsPerMinute: z.int().min(1).max(60),
  alertFormat: AlertFormat,
})
/** A user's webhook as its owner may see it. */
export type Webhook = z.infer<typeof Webhook>

/** A user's webhook, made on first asking. */
export const getWebhook = requestContract('keys.webhook.get', z.object({ userId: UserId }), Webhook)

/** Changes the webhook's settings; what is left out stays. */
export const updateWebhook = requestContract(
  'keys.webhook.update',
  z.object({
    userId: UserId,
    isActive: z.boolean().optional(),
    maxRequestsPerMinute: z.int().min(1).max(60).optional(),
    alertFormat: AlertFormat.optional(),
  }),
  Webhook,
)
