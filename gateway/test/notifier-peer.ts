import type { Bus } from '@tripline/kit/bus/bus'
import { serve } from '@tripline/kit/bus/request'
import { RefusedError } from '@tripline/kit/refused-error'
import { findMessages, getDelivery, sendTestMessage } from '@tripline/proto/notification-request'
import type { Known } from './known.ts'

/** Plays the notifier over the real bus. */
export function playNotifier(bus: Bus, known: Known): (() => void)[] {
  return [
    serve(bus, getDelivery, async ({ userId }) => {
      const lastError = known.deliveryErrors.get(userId) ?? null
      return { lastError, lastErrorAt: lastError === null ? null : '2026-11-21T12:00:00.000Z' }
    }),
    serve(bus, findMessages, async ({ userId, refusedAt }) => {
      const lastError = known.deliveryErrors.get(userId) ?? null
      const waiting = refusedAt === undefined ? 0 : 1
      return { isOn: true, isKnown: true, sentAt: '2026-11-21T12:00:01.000Z', waiting, lastError }
    }),
    serve(bus, sendTestMessage, async ({ userId }) => {
      if (known.notifications.get(userId)?.hasToken !== true) {
        throw new RefusedError('conflict', 'Telegram notifications are not configured')
      }
      const error = known.deliveryErrors.get(userId) ?? null
      return { success: error === null, error }
    }),
  ]
}
