import type { UserId } from '@tripline/proto/id'
import type { AlertFormat } from '@tripline/proto/language/formats/alert-format'
import type { Selectable } from 'kysely'
import type { Db, Tables } from './database.ts'

/** The hash by which a webhook is found, and its token, encrypted. */
export interface StoredToken {
  tokenHash: string
  tokenEnvelope: string
}

/** The settings of a user's webhook. */
export interface WebhookSettings {
  isActive: boolean
  maxRequestsPerMinute: number
  alertFormat: AlertFormat
  onlyTradingview: boolean
}

/** A user's webhook as it is stored. */
export interface StoredWebhook extends WebhookSettings, StoredToken {}

/** The webhook of a user, if it was made already. */
export async function findWebhook(db: Db, userId: UserId): Promise<StoredWebhook | undefined> {
  const row = await db.selectFrom('webhook').selectAll().where('user_id', '=', userId).executeTakeFirst()
  return row && toWebhook(row)
}

/** Keeps a user's first webhook. */
export async function insertWebhook(db: Db, userId: UserId, webhook: StoredWebhook): Promise<void> {
  await db
    .insertInto('webhook')
    .values({
      user_id: userId,
      token_hash: webhook.tokenHash,
      token_envelope: webhook.tokenEnvelope,
      is_active: webhook.isActive,
      max_requests_per_minute: webhook.maxRequestsPerMinute,
      alert_format: webhook.alertFormat,
      only_tradingview: webhook.onlyTradingview,
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
      only_tradingview: settings.onlyTradingview,
    })
    .where('user_id', '=', userId)
    .execute()
}

/** Puts another token in the place of the one that a user's webhook has. */
export async function setWebhookToken(db: Db, userId: UserId, token: StoredToken): Promise<void> {
  await db
    .updateTable('webhook')
    .set({ token_hash: token.tokenHash, token_envelope: token.tokenEnvelope })
    .where('user_id', '=', userId)
    .execute()
}

/** Notes a renewal as the last one; false where it was already. */
export async function noteRenewal(db: Db, userId: UserId, renewalId: string): Promise<boolean> {
  const noted = await db
    .updateTable('webhook')
    .set({ renewal_id: renewalId })
    .where('user_id', '=', userId)
    .where('renewal_id', 'is distinct from', renewalId)
    .returning('user_id')
    .executeTakeFirst()
  return noted !== undefined
}

function toWebhook(row: Selectable<Tables['webhook']>): StoredWebhook {
  return {
    tokenHash: row.token_hash,
    tokenEnvelope: row.token_envelope,
    isActive: row.is_active,
    maxRequestsPerMinute: row.max_requests_per_minute,
    alertFormat: row.alert_format,
    onlyTradingview: row.only_tradingview,
  }
}

const envelopesAtOnce = 500

/** The envelopes of webhook tokens, a page by user behind this one. */
export async function listTokenEnvelopes(
  db: Db,
  after: UserId | undefined,
): Promise<{ id: UserId; envelope: string }[]> {
  return await db
    .selectFrom('webhook')
    .select(['user_id as id', 'token_envelope as envelope'])
    .$if(after !== undefined, (query) => query.where('user_id', '>', after as UserId))
    .orderBy('user_id')
    .limit(envelopesAtOnce)
    .execute()
}

/** Puts another envelope of the same token in the place of this one, if it is still there. */
export async function replaceTokenEnvelope(db: Db, userId: UserId, from: string, to: string): Promise<void> {
  await db
    .updateTable('webhook')
    .set({ token_envelope: to })
    .where('user_id', '=', userId)
    .where('token_envelope', '=', from)
    .execute()
}
