import { type SealingKey, seal } from '@tripline/kit/crypto/seal'
import { RefusedError } from '@tripline/kit/refused-error'
import { ErrorBody } from '@tripline/proto/http/error'
import {
  NotificationTestView,
  NotificationView,
  storedTokenMask,
  UpdateNotificationsBody,
} from '@tripline/proto/http/notification'
import type { UserId } from '@tripline/proto/id'
import { botTokenContext } from '@tripline/proto/notification'
import {
  getDelivery,
  getNotificationSettings,
  type NotificationSettings,
  sendTestMessage,
  updateNotificationSettings,
} from '@tripline/proto/notification-request'
import type { Access } from '../access/access.ts'
import type { Ask } from '../ask.ts'
import { type Api, bearer, sessionRefusals } from './api.ts'

const shared = { tags: ['notifications'], security: bearer }

// The state of Telegram is worth less than the settings themselves.
const deliveryPatienceMs = 1000
// More than the notifier waits for Telegram.
const testTimeoutMs = 8000

/** Routes of a user's notifications. */
export function notificationRoutes(api: Api, ask: Ask, access: Access, sealingKey: SealingKey): void {
  settingsRoutes(api, ask, access, sealingKey)
  testRoute(api, ask, access)
}

function settingsRoutes(api: Api, ask: Ask, { guard, sessionOf }: Access, sealingKey: SealingKey): void {
  const response = { ...sessionRefusals, 200: NotificationView }
  const path = '/api/notifications'
  api.get(
    path,
    {
      onRequest: guard,
      schema: { ...shared, operationId: 'getNotifications', summary: 'Where notifications go', response },
    },
    async (request) => {
      const userId = sessionOf(request).sub
      return await view(ask, userId, await ask(getNotificationSettings, { userId }))
    },
  )
  const summary = 'Change where notifications go; what is left out stays, null deletes'
  api.put(
    path,
    {
      onRequest: guard,
      schema: {
        ...shared,
        operationId: 'updateNotifications',
        summary,
        body: UpdateNotificationsBody,
        response,
      },
    },
    async (request) => {
      const userId = sessionOf(request).sub
      const {
        telegram_enabled: isEnabled,
        telegram_bot_token: token,
        telegram_chat_id: chatId,
      } = request.body
      const sealedToken = sealedTokenOf(sealingKey, userId, token)
      const asked = { userId, isEnabled, sealedToken, chatId }
      return await view(ask, userId, await ask(updateNotificationSettings, asked))
    },
  )
}

function testRoute(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const summary = 'Send a test message; 200 whenever the test ran'
  const response = { ...sessionRefusals, 200: NotificationTestView, 409: ErrorBody }
  api.post(
    '/api/notifications/test',
    { onRequest: guard, schema: { ...shared, operationId: 'testNotifications', summary, response } },
    async (request) => {
      const asked = { userId: sessionOf(request).sub }
      const { success, error } = await ask(sendTestMessage, asked, { timeoutMs: testTimeoutMs })
      return { success, message: success ? 'Test message sent' : 'Failed to send test message', error }
    },
  )
}

/** From here on nobody but the notifier can read the token; the mask, like nothing at all, keeps the one that is stored. */
function sealedTokenOf(
  sealingKey: SealingKey,
  userId: UserId,
  token: string | null | undefined,
): string | null | undefined {
  if (token === undefined || token === storedTokenMask) return undefined
  return token === null ? null : seal(sealingKey, token, botTokenContext(userId))
}

async function view(
  ask: Ask,
  userId: UserId,
  { isEnabled, hasToken, chatId }: NotificationSettings,
): Promise<NotificationView> {
  const { lastError, lastErrorAt } = await deliveryOf(ask, userId)
  return {
    telegram_enabled: isEnabled,
    telegram_bot_token: hasToken ? storedTokenMask : null,
    telegram_chat_id: chatId,
    last_error: lastError,
    last_error_at: lastErrorAt,
  }
}

async function deliveryOf(
  ask: Ask,
  userId: UserId,
): Promise<{ lastError: string | null; lastErrorAt: string | null }> {
  try {
    return await ask(getDelivery, { userId }, { timeoutMs: deliveryPatienceMs })
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return { lastError: null, lastErrorAt: null }
  }
}
