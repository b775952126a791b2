import type { Bus } from '@tripline/kit/bus/bus'
import { serve } from '@tripline/kit/bus/request'
import { RefusedError } from '@tripline/kit/refused-error'
import type { BotId, UserId } from '@tripline/proto/id'
import {
  type Bot,
  createBot,
  createCloseOnly,
  deleteBot,
  deleteCloseOnly,
  getCloseOnly,
  getTrading,
  getUserTrading,
  getWebhook,
  listBots,
  regenerateCloseOnly,
  regenerateWebhook,
  resetBot,
  testBot,
  updateBot,
  updateTrading,
  updateUserTrading,
  updateWebhook,
  type Webhook,
} from '@tripline/proto/key-request'
import { getNotificationSettings, updateNotificationSettings } from '@tripline/proto/notification-request'
import type { Known } from './known.ts'

/** Plays keys over the real bus. */
export function playKeys(bus: Bus, known: Known): (() => void)[] {
  return [
    ...playBots(bus, known),
    ...playTrading(bus, known),
    ...playWebhook(bus, known),
    ...playCloseOnly(bus, known),
    ...playNotifications(bus, known),
  ]
}

function playBots(bus: Bus, known: Known): (() => void)[] {
  return [
    serve(bus, listBots, async ({ userId }) => ({ bots: known.bots.get(userId) ?? [] })),
    serve(bus, createBot, async (asked) => {
      known.asked.push({ subject: createBot.subject, value: asked })
      if (asked.bot.label === 'Taken') throw new RefusedError('conflict', 'This label is taken')
      const apiKeyPreview = asked.credentials?.apiKeyPreview ?? 'pape…ount'
      return { ...asked.bot, apiKeyPreview, createdAt: new Date().toISOString(), lastTest: null }
    }),
    serve(bus, updateBot, async (asked) => {
      known.asked.push({ subject: updateBot.subject, value: asked })
      const bot = botOf(known, asked.userId, asked.botId)
      if (asked.label === 'Taken') throw new RefusedError('conflict', 'Label already exists')
      return { ...bot, label: asked.label ?? bot.label, marketType: asked.marketType ?? bot.marketType }
    }),
    serve(bus, deleteBot, async ({ userId, botId }) => {
      const { id } = botOf(known, userId, botId)
      known.bots.set(
        userId,
        (known.bots.get(userId) ?? []).filter((bot) => bot.id !== id),
      )
      return {}
    }),
    serve(bus, resetBot, async ({ userId, botId }) => {
      if (botOf(known, userId, botId).exchange === 'paper') return {}
      throw new RefusedError('conflict', 'Only a Paper account can be reset')
    }),
    serve(bus, testBot, async ({ userId, botId }) => {
      const { label } = botOf(known, userId, botId)
      const checks = [{ id: 'venue_reached', ok: true, message: `${label} reached it`, fix: null } as const]
      return { success: true, message: 'API key is valid and working', error: null, checks }
    }),
  ]
}

function playTrading(bus: Bus, known: Known): (() => void)[] {
  const first = { state: 'active', maxEntryAgeS: 60, exitRetryS: 600, maxOrderValue: null } as const
  return [
    serve(bus, getTrading, async ({ userId, botId }) => {
      botOf(known, userId, botId)
      return first
    }),
    serve(bus, updateTrading, async (asked) => {
      known.asked.push({ subject: updateTrading.subject, value: asked })
      const { userId, botId, state = first.state, maxEntryAgeS = 60, exitRetryS = 600 } = asked
      botOf(known, userId, botId)
      return { state, maxEntryAgeS, exitRetryS, maxOrderValue: asked.maxOrderValue ?? null }
    }),
    serve(bus, getUserTrading, async ({ userId }) => ({
      state: known.tradingStates.get(userId) ?? 'active',
    })),
    serve(bus, updateUserTrading, async ({ userId, state }) => {
      known.tradingStates.set(userId, state)
      return { state }
    }),
  ]
}

function playWebhook(bus: Bus, known: Known): (() => void)[] {
  return [
    serve(bus, getWebhook, async ({ userId }) => webhookOf(known, userId)),
    serve(bus, updateWebhook, async ({ userId, ...changes }) => {
      const before = webhookOf(known, userId)
      const { isActive = before.isActive, maxRequestsPerMinute = before.maxRequestsPerMinute } = changes
      const { alertFormat = before.alertFormat, onlyTradingview = before.onlyTradingview } = changes
      const webhook = { ...before, isActive, maxRequestsPerMinute, alertFormat, onlyTradingview }
      known.webhooks.set(userId, webhook)
      return webhook
    }),
    serve(bus, regenerateWebhook, async ({ userId }) => {
      const webhook = { ...webhookOf(known, userId), token: `new-token-${userId}` }
      known.webhooks.set(userId, webhook)
      return webhook
    }),
  ]
}

function playCloseOnly(bus: Bus, known: Known): (() => void)[] {
  const renew = (botId: BotId): { token: string } => {
    const token = `close-only-${known.closeOnly.size}-${botId}`
    known.closeOnly.set(botId, token)
    return { token }
  }
  const stored = ({ userId, botId }: { userId: UserId; botId: BotId }): string | undefined =>
    known.closeOnly.get(botOf(known, userId, botId).id)
  const refuse = (code: 'conflict' | 'not_found'): never => {
    throw new RefusedError(code, code)
  }
  return [
    serve(bus, getCloseOnly, async (ids) => ({ token: stored(ids) ?? null })),
    serve(bus, createCloseOnly, async (ids) => (stored(ids) ? refuse('conflict') : renew(ids.botId))),
    serve(bus, regenerateCloseOnly, async (ids) => (stored(ids) ? renew(ids.botId) : refuse('not_found'))),
    serve(bus, deleteCloseOnly, async (ids) => {
      if (!stored(ids)) refuse('not_found')
      known.closeOnly.delete(ids.botId)
      return {}
    }),
  ]
}

function playNotifications(bus: Bus, known: Known): (() => void)[] {
  const unset = { isEnabled: false, hasToken: false, chatId: null }
  return [
    serve(bus, getNotificationSettings, async ({ userId }) => known.notifications.get(userId) ?? unset),
    serve(bus, updateNotificationSettings, async (asked) => {
      known.asked.push({ subject: updateNotificationSettings.subject, value: asked })
      const { userId, sealedToken, isEnabled, chatId } = asked
      const stored = known.notifications.get(userId) ?? unset
      const settings = {
        isEnabled: isEnabled ?? stored.isEnabled,
        hasToken: sealedToken === undefined ? stored.hasToken : sealedToken !== null,
        chatId: chatId === undefined ? stored.chatId : chatId,
      }
      known.notifications.set(userId, settings)
      return settings
    }),
  ]
}

function botOf(known: Known, userId: UserId, botId: BotId): Bot {
  const bot = known.bots.get(userId)?.find(({ id }) => id === botId)
  if (bot === undefined) throw new RefusedError('not_found', 'API key not found')
  return bot
}

function webhookOf(known: Known, userId: UserId): Webhook {
  const settings = {
    isActive: true,
    maxRequestsPerMinute: 10,
    alertFormat: 'tripline',
    onlyTradingview: false,
  } as const
  return known.webhooks.get(userId) ?? { token: `token-${userId}`, ...settings }
}
