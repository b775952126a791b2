import type { UserId } from '@tripline/proto/id'
import type { Webhook } from '@tripline/proto/key-request'
import { newWebhookToken, openWebhookToken, tokenContext } from './crypto/webhook-token.ts'
import type { Deps } from './deps.ts'
import type { Db } from './store/database.ts'
import { findWebhook, insertWebhook, type StoredWebhook } from './store/webhook.ts'

const firstSettings = {
  isActive: true,
  maxRequestsPerMinute: 10,
  alertFormat: 'tripline',
  onlyTradingview: false,
} as const

/** The webhook of a user, made if there is none; part of a change of the user. */
export async function ensureWebhook(db: Db, keks: Deps['keks'], userId: UserId): Promise<StoredWebhook> {
  const stored = await findWebhook(db, userId)
  if (stored !== undefined) return stored
  const webhook = { ...newWebhookToken(keks, tokenContext(userId)), ...firstSettings }
  await insertWebhook(db, userId, webhook)
  return webhook
}

/** A webhook as its owner sees it. */
export function showWebhook(keks: Deps['keks'], userId: UserId, webhook: StoredWebhook): Webhook {
  const { tokenEnvelope, tokenHash: _, ...settings } = webhook
  return { token: openWebhookToken(keks, tokenEnvelope, tokenContext(userId)), ...settings }
}
