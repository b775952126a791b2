import type { UserId } from '@tripline/proto/id'
import type { AlertFormat } from '@tripline/proto/language/formats/alert-format'
import type { Selectable } from 'kysely'
import type { Db, Tables } from './database.ts'

/** What a user may set about their webhook. */
export interface WebhookSettings {
  isActive: boolean
  maxRequestsPerMinute: number
  alertFormat: AlertFormat
}

/** A user's webhook as it is kept; its token is encrypted. */
export interface KeptWebhook extends WebhookSettings {
  tokenHash: string
  tokenEnvelope: string
}

/** The webhook of a user, if it was made already. */
export async function findWebhook(db: Db, userId: UserId): Promise<KeptWebhook | undefined> {
  const row = await db.selectFrom('webhook').selectAll().where('user_id', '=', userId).executeTakeFirst()
  return row && toWebhook(row)
}

/** Keeps a user's first webhook. */
export async function insertWebhook(db: Db, userId: UserId, webhook: KeptWebhook): Promise<void> {
  await db
    .insertInto('webhook')
    .values({
      user_id: userId,
      token_hash: webhook.tokenHash,
      token_envelope: webhook.tokenEnvelope,
      is_active: webhook.isActive,
      max_requests_per_minute: webhook.maxRequestsPerMinute,
      alert_format: webhook.alertFormat,
    })
    .execute()
}

/** Keeps new settings of a user's webhook. */
export async function setWebhook(db: Db, userId: UserId, settings: WebhookSettings): Promise<void> {
  await db
    .updateTable('webhook')
    .set({
      is_active: settings.isActive,
      max_requests_per_minute: settings.maxRequestsPerMinute,
      alert_format: settings.alertFormat,
    })
    .where('user_id', '=', userId)
    .execute()
}

function toWebhook(row: Selectable<Tables['webhook']>): KeptWebhook {
  return {
    tokenHash: row.token_hash,
    tokenEnvelope: row.token_envelope,
    isActive: row.is_active,
    maxRequestsPerMinute: row.max_requests_per_minute,
    alertFormat: row.alert_format,
  }
}
