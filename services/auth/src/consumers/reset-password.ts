import { serve } from '@tripline/kit/bus/request'
import { RefusedError } from '@tripline/kit/refused-error'
import { resetPassword } from '@tripline/proto/auth-request'
import type { SessionId, UserId } from '@tripline/proto/id'
import { accountDigest } from '../crypto/account-digest.ts'
import { hashMailToken } from '../crypto/mail-token.ts'
import type { Deps } from '../deps.ts'
import { isResetOpen } from '../domain/mail-token.ts'
import { accountBudgets } from '../domain/throttle.ts'
import { publishEnded } from '../session-ended.ts'
import type { Db } from '../store/database.ts'
import { insertMail } from '../store/mail.ts'
import { lockReset, spendResets } from '../store/mail-token.ts'
import { closeSessions } from '../store/session.ts'
import { refillBudgets } from '../store/throttle.ts'
import { findUser, putCredential } from '../store/user.ts'
import { insertRenewal } from '../store/webhook-renewal.ts'
import { attemptMs, renew } from '../webhook-renewals.ts'

/** Serves `auth.password.reset`. */
export function serveResetPassword(deps: Deps): () => void {
  const { bus, db, now, passwords } = deps
  return serve(bus, resetPassword, async ({ token, newPassword, newWebhookAddress }) => {
    const tokenHash = hashMailToken(token)
    const open = await db.transaction().execute(async (reading) => await openReset(reading, tokenHash, now()))
    // Hashed outside the transaction, and for those with a token only: it takes long.
    const passwordHash = open && (await passwords.hash(newPassword))
    const reset =
      passwordHash &&
      (await db.transaction().execute(async (writing) => {
        const userId = await openReset(writing, tokenHash, now())
        const ended = userId && (await changePassword(writing, userId, passwordHash, now()))
        if (userId === undefined || ended === undefined) return undefined
        // A thief of the password may have copied the address. Stored here, so that it is renewed whatever dies now.
        const renewal = newWebhookAddress && (await insertRenewal(writing, userId, now() + attemptMs))
        return { ended, renewal }
      }))
    if (!reset) throw new RefusedError('invalid_token', 'Invalid or expired token')
    publishEnded(bus, reset.ended)
    if (reset.renewal) await renew(deps, reset.renewal)
    return {}
  })
}

/** Returns the user whose password the token resets; undefined if there is none. */
async function openReset(db: Db, tokenHash: string, now: number): Promise<UserId | undefined> {
  const token = await lockReset(db, tokenHash)
  return token !== undefined && isResetOpen(token, now) ? token.userId : undefined
}

/** Returns the sessions that it ended. */
async function changePassword(
  db: Db,
  userId: UserId,
  passwordHash: string,
  now: number,
): Promise<SessionId[] | undefined> {
  const user = await findUser(db, userId)
  if (user === undefined) return undefined
  await putCredential(db, { userId, passwordHash, changedAt: new Date(now).toISOString() })
  await spendResets(db, userId, now)
  // A user who was locked out because of others' attempts gets in again.
  await refillBudgets(db, accountBudgets(accountDigest(user.email)))
  await insertMail(db, { kind: 'password-changed', recipient: user.email, createdAt: now })
  return await closeSessions(db, userId, 'all', now)
}
