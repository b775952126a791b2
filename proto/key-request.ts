import { z } from 'zod'
import { DecimalText } from './decimal.ts'
import { Exchange, MarketType } from './exchange.ts'
import { BotId, UserId } from './id.ts'
import { KeyTest, LastKeyTest } from './key-test.ts'
import { requestContract } from './request.ts'
import { StorableText } from './storable-text.ts'
import { AlertFormat, BotLabel, NewBotLabel, TradingState, usualExitRetryS } from './user-config.ts'

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
  /** Null while it was never tested. */
  lastTest: LastKeyTest.nullable(),
})
/** A bot as its owner may see it. */
export type Bot = z.infer<typeof Bot>

const NewBot = Bot.omit({ apiKeyPreview: true, createdAt: true, lastTest: true }).extend({
  label: NewBotLabel,
})

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

const ofBot = { userId: UserId, botId: BotId }

const BotChanges = NewBot.pick({
  label: true,
  marketType: true,
  notifyOnTrade: true,
  notifyOnError: true,
  notifyOnFill: true,
}).partial()

/** Changes a bot; what is left out stays, and its exchange account always does. `conflict` when the label is taken. */
export const updateBot = requestContract('keys.bot.update', z.object({ ...ofBot, ...BotChanges.shape }), Bot)

/** Unlinks a bot: it trades no more and its credentials are gone. */
export const deleteBot = requestContract('keys.bot.delete', z.object(ofBot), z.object({}))

/** Tries a bot's credentials at its exchange; the result is stored with the bot. */
export const testBot = requestContract('keys.bot.test', z.object(ofBot), KeyTest)

const longestEntryAgeS = 86_400
const ExitRetryS = z.int().min(0).max(3600)

const Trading = z.object({
  state: TradingState,
  /** The most age of an entry when it is sent. */
  maxEntryAgeS: z.int().min(1).max(longestEntryAgeS),
  /** The time for which an exit or a cancel is tried that the exchange does not take; 0: no longer than an entry. */
  exitRetryS: ExitRetryS.default(usualExitRetryS),
  /** The most that one order may be worth, in the quote currency. */
  maxOrderValue: DecimalText.max(40)
    .refine((value) => /[1-9]/.test(value) && !value.startsWith('-'), 'must be above zero')
    .nullable(),
})
/** The trading settings of one bot; the state of all the user's bots holds besides. */
export type Trading = z.infer<typeof Trading>

/** Returns the trading settings of a bot. */
export const getTrading = requestContract('keys.trading.get', z.object(ofBot), Trading)

/** Changes how a bot may trade; what is left out stays, and null takes a limit away. */
export const updateTrading = requestContract(
  'keys.trading.update',
  // A default would change what is left out.
  z.object({ ...ofBot, ...Trading.partial().shape, exitRetryS: ExitRetryS.optional() }),
  Trading,
)

const UserTrading = z.object({ state: TradingState })

/** The trading state that all bots of a user have at least. */
export const getUserTrading = requestContract(
  'keys.user-trading.get',
  z.object({ userId: UserId }),
  UserTrading,
)

/** Sets the trading state that all bots of a user have at least. */
export const updateUserTrading = requestContract(
  'keys.user-trading.update',
  z.object({ userId: UserId, ...UserTrading.shape }),
  UserTrading,
)

const Webhook = z.object({
  /** The token of the webhook's URL, in clear: only its owner asks. */
  token: z.string(),
  isActive: z.boolean(),
  maxRequestsPerMinute: z.int().min(1).max(60),
  alertFormat: AlertFormat,
  onlyTradingview: z.boolean(),
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
    onlyTradingview: z.boolean().optional(),
  }),
  Webhook,
)

/** The token of the URL of a close-only address, in clear: only its owner asks. */
const CloseOnlyAddress = z.object({ token: z.string() })

/** The close-only address of a bot; its token is null where it has none. */
export const getCloseOnly = requestContract(
  'keys.close-only.get',
  z.object(ofBot),
  z.object({ token: z.string().nullable() }),
)

/** Gives a bot a close-only address; `conflict` where it has one. */
export const createCloseOnly = requestContract('keys.close-only.create', z.object(ofBot), CloseOnlyAddress)

/** Gives the close-only address a new token; the old one is known to nobody any more. `not_found` where there is none. */
export const regenerateCloseOnly = requestContract(
  'keys.close-only.regenerate',
  z.object(ofBot),
  CloseOnlyAddress,
)

/** Takes the close-only address away; `not_found` where there is none. */
export const deleteCloseOnly = requestContract('keys.close-only.delete', z.object(ofBot), z.object({}))

/**
 * Gives the webhook, and each close-only address, a new token that is not in the answer; `renewalId` names the
 * occasion, which may be asked for again and happens once. Nothing where the user has no webhook.
 */
export const renewWebhook = requestContract(
  'keys.webhook.renew',
  z.object({ userId: UserId, renewalId: z.uuid() }),
  z.object({}),
)

/** Gives the webhook a new token; the old one is known to nobody any more. */
export const regenerateWebhook = requestContract(
  'keys.webhook.regenerate',
  z.object({ userId: UserId }),
  Webhook,
)
