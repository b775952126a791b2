import type { UserId } from '@tripline/proto/id'
import type { Selectable } from 'kysely'
import type { MailTokenLife } from '../domain/mail-token.ts'
import { type Db, type Tables, toIso } from './database.ts'

/** The purpose of a token: to verify a registration or to reset the password of a user. */
export type MailTokenPurpose = { registrationId: UserId } | { userId: UserId }

/** Keeps the token of a mail, in place of the one that an earlier attempt to send the mail had. */
export async function putMailToken(
  db: Db,
  token: { mailId: string; tokenHash: string; purpose: MailTokenPurpose; expiresAt: number },
): Promise<void> {
  const values = { token_hash: token.tokenHash, expires_at: toIso(token.expiresAt) }
  const registrationId = 'registrationId' in token.purpose ? token.purpose.registrationId : null
  const userId = 'userId' in token.purpose ? token.purpose.userId : null
  await db
    .insertInto('mail_token')
    .values({
      mail_id: token.mailId,
      registration_id: registrationId,
      user_id: userId,
      used_at: null,
      ...values,
    })
    .onConflict((conflict) => conflict.column('mail_id').doUpdateSet(values))
    .execute()
}

/** The token of this hash that verifies a registration; nobody else uses it until the transaction ends. */
export async function lockVerification(
  db: Db,
  tokenHash: string,
): Promise<(MailTokenLife & { registrationId: UserId }) | undefined> {
  const row = await lockToken(db, tokenHash)
  return row?.registration_id ? { ...stateOf(row), registrationId: row.registration_id } : undefined
}

/** The token of this hash that resets a password; nobody else uses it until the transaction ends. */
export async function lockReset(
  db: Db,
  tokenHash: string,
): Promise<(MailTokenLife & { userId: UserId }) | undefined> {
  const row = await lockToken(db, tokenHash)
  return row?.user_id ? { ...stateOf(row), userId: row.user_id } : undefined
}

/** Notes that the token was used. */
export async function spendMailToken(db: Db, tokenHash: string, usedAt: number): Promise<void> {
  await db
    .updateTable('mail_token')
    .set({ used_at: toIso(usedAt) })
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** Spends every token that resets the password of this user. */
export async function spendResets(db: Db, userId: UserId, usedAt: number): Promise<void> {
  await db
    .updateTable('mail_token')
    .set({ used_at: toIso(usedAt) })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute()
}

/** Forgets tokens that are over since before the moment. */
export async function deleteMailTokens(db: Db, expiredBefore: number): Promise<void> {
  await db.deleteFrom('mail_token').where('expires_at', '<', toIso(expiredBefore)).execute()
}

async function lockToken(db: Db, tokenHash: string): Promise<Selectable<Tables['mail_token']> | undefined> {
  return await db
    .selectFrom('mail_token')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .forUpdate()
    .executeTakeFirst()
}

function stateOf(row: Selectable<Tables['mail_token']>): MailTokenLife {
  return {
    expiresAt: Date.parse(row.expires_at),
    usedAt: row.used_at === null ? null : Date.parse(row.used_at),
  }
}
