import { RefusedError } from '@tripline/kit/refused-error'
import { answer } from '@tripline/kit/request'
import { resetPassword } from '@tripline/proto/auth-request'
import type { SessionId, UserId } from '@tripline/proto/id'
import { accountDigest } from '../crypto/account-digest.ts'
import { hashMailToken } from '../crypto/mail-token.ts'
import type { Deps } from '../deps.ts'
import { isResetOpen } from '../domain/mail-token.ts'
import { accountBudgets } from '../domain/throttle.ts'
import { tellEnded } from '../session-ended.ts'
import type { Db } from '../store/database.ts'
import { insertMail } from '../store/mail.ts'
import { lockReset, spendResets } from '../store/mail-token.ts'
import { closeSessions } from '../store/session.ts'
import { refillBudgets } from '../store/throttle.ts'
import { findUser, putCredential } from '../store/user.ts'

/** Answers `auth.password.reset`. */
export function answerResetPassword(deps: Deps): () => void {
  const { bus, db, now, passwords } = deps
  return answer(bus, resetPassword, async ({ token, newPassword }) => {
    const tokenHash = hashMailToken(token)
    const open = await db.transaction().execute(async (reading) => await openReset(reading, tokenHash, now()))
    // Hashed outside the transaction, and for those with a token only: it takes long.
    const passwordHash = open && (await passwords.hash(newPassword))
    const ended =
      passwordHash &&
      (await db.transaction().execute(async (writing) => {
        const userId = await openReset(writing, tokenHash, now())
        return userId && (await changePassword(writing, userId, passwordHash, now()))
      }))
    if (!ended) throw new RefusedError('invalid_token', 'Invalid or expired token')
    tellEnded(bus, ended)
    return {}
  })
}

/** Whose password the token resets; undefined when it resets none. */
async function openReset(db: Db, tokenHash: string, now: number): Promise<UserId | undefined> {
  const token = await lockReset(db, tokenHash)
  return token !== undefined && isResetOpen(token, now) ? token.userId : undefined
}

/** Answers the sessions that it ended. */
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
  // Whoever was kept out because of others' attempts gets in again.
  await refillBudgets(db, accountBudgets(accountDigest(user.email)))
  await insertMail(db, { kind: 'password-changed', recipient: user.email, createdAt: now })
  return await closeSessions(db, userId, 'all', now)
}
