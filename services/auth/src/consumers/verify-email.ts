import { serve } from '@tripline/kit/bus/request'
import { RefusedError } from '@tripline/kit/refused-error'
import { type User, verifyEmail } from '@tripline/proto/auth-request'
import { hashMailToken } from '../crypto/mail-token.ts'
import type { Deps } from '../deps.ts'
import { judgeVerification } from '../domain/mail-token.ts'
import { verificationBudgets } from '../domain/throttle.ts'
import { usernameCandidates } from '../domain/username.ts'
import type { Db } from '../store/database.ts'
import { lockVerification, spendMailToken } from '../store/mail-token.ts'
import { closeRegistrations, findRegistration, type Registration } from '../store/registration.ts'
import { insertUser, putCredential } from '../store/user.ts'
import { returnAttempts, takeAttempts } from '../throttle.ts'

/** Serves `auth.email.verify`. */
export function serveVerifyEmail(deps: Deps): () => void {
  const { bus, db, now } = deps
  return serve(bus, verifyEmail, async ({ token, password }) => {
    const tokenHash = hashMailToken(token)
    const open = await findOpen(db, tokenHash, now())
    if (open !== undefined) await checkPassword(deps, open, password)
    const email = await db.transaction().execute(async (transaction) => {
      return await useToken(transaction, tokenHash, now())
    })
    if (email === undefined) throw new RefusedError('invalid_token', 'Invalid or expired verification link')
    return { email }
  })
}

/** The registration that the token would verify now; undefined where it is spent, over or unknown. */
async function findOpen(db: Db, tokenHash: string, now: number): Promise<Registration | undefined> {
  return await db.transaction().execute(async (reading) => {
    const token = await lockVerification(reading, tokenHash)
    if (token === undefined || judgeVerification(token, now) !== 'verify') return undefined
    return await findRegistration(reading, token.registrationId)
  })
}

/**
 * Refuses a caller who does not know the password of the registration. Anybody can register any email; its owner, who
 * follows the link, must not be given an account whose password a stranger chose.
 */
async function checkPassword(
  deps: Deps,
  { user, passwordHash }: Registration,
  password: string,
): Promise<void> {
  const budgets = verificationBudgets(deps.throttleLimits, user.id)
  await takeAttempts(deps, budgets)
  // Hashed outside the transaction: it takes long.
  if (!(await deps.passwords.matches(password, passwordHash ?? undefined))) {
    throw new RefusedError(
      'wrong_password',
      'This is not the password that was chosen at the registration of this link',
    )
  }
  await returnAttempts(deps, budgets)
}

/** The email that the token verifies or has verified, or undefined when it verifies none. */
async function useToken(db: Db, tokenHash: string, now: number): Promise<string | undefined> {
  const token = await lockVerification(db, tokenHash)
  const registration = token && (await findRegistration(db, token.registrationId))
  if (token === undefined || registration === undefined) return undefined
  switch (judgeVerification(token, now)) {
    case 'verify':
      if (!(await becomeUser(db, registration, now))) return undefined
      await spendMailToken(db, tokenHash, now)
      return registration.user.email
    case 'repeat':
      return registration.user.email
    case 'over':
      return undefined
  }
}

/** False when the email has a user already. */
async function becomeUser(db: Db, { user, passwordHash }: Registration, now: number): Promise<boolean> {
  if (passwordHash === null || !(await keepUser(db, user))) return false
  await putCredential(db, { userId: user.id, passwordHash, changedAt: new Date(now).toISOString() })
  await closeRegistrations(db, user)
  return true
}

async function keepUser(db: Db, wished: User): Promise<boolean> {
  for (const username of usernameCandidates(wished.username, wished.id)) {
    const outcome = await insertUser(db, { ...wished, username })
    if (outcome !== 'usernameTaken') return outcome === 'inserted'
  }
  throw new Error('Every username to try was taken')
}
