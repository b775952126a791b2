import { serve } from '@tripline/kit/bus/request'
import { RefusedError } from '@tripline/kit/refused-error'
import { now } from '@tripline/kit/time/clock'
import type { UserId } from '@tripline/proto/id'
import { NotificationConfig } from '@tripline/proto/notification'
import { sendTestMessage } from '@tripline/proto/notification-request'
import type { Deps } from '../deps.ts'
import { type Sending, unreachable } from '../domain/sending.ts'
import { noteFailure, restartDelivery } from '../store/delivery.ts'

const text = '✅ Tripline can write to you here. This is a test message.'

/** Serves `notifier.message.test`, one at a time for a user; its outcome is shown like any other attempt's end. */
export function serveTestMessages({ bus, db, log, notifications, send }: Deps): () => void {
  const underWay = new Set<UserId>()
  return serve(bus, sendTestMessage, async ({ userId }) => {
    // From the bucket itself: a change that was answered just now is there, and may not have been read yet.
    const entry = await notifications.get(userId)
    const settings = entry && NotificationConfig.parse(JSON.parse(entry.text))
    if (settings === undefined || settings.sealedToken === null || settings.chatId === null) {
      throw new RefusedError('conflict', 'Telegram notifications are not configured')
    }
    if (underWay.has(userId)) {
      throw new RefusedError('rate_limited', 'A test message is under way', { retryAfterS: 5 })
    }
    underWay.add(userId)
    const begunAt = isoNow()
    const sending = await send(settings, text).finally(() => underWay.delete(userId))
    const at = isoNow()
    const error = errorOf(sending)
    if (error === null) await restartDelivery(db, userId, { now: at, begunAt })
    else await noteFailure(db, userId, error, at)
    log.info({ userId, outcome: sending.outcome }, 'test message')
    return { success: error === null, error }
  })
}

function isoNow(): string {
  return new Date(now()).toISOString()
}

function errorOf(sending: Sending): string | null {
  if (sending.outcome === 'sent') return null
  return sending.outcome === 'unreadable' ? unreachable : sending.error
}
