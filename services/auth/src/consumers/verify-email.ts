import { RefusedError } from '@tripline/kit/refused-error'
import { answer } from '@tripline/kit/request'
import { type User, verifyEmail } from '@tripline/proto/auth-request'
import { hashMailToken } from '../crypto/mail-token.ts'
import type { Deps } from '../deps.ts'
import { judgeVerification } from '../domain/mail-token.ts'
import { usernameCandidates } from '../domain/username.ts'
import type { Db } from '../store/database.ts'
import { lockVerification, spendMailToken } from '../store/mail-token.ts'
import { findRegistration, type Registration, settleRegistrations } from '../store/registration.ts'
import { insertUser, putCredential } from '../store/user.ts'

/** Answers `auth.email.verify`. */
export function answerVerifyEmail({ bus, db, now }: Deps): () => void {
  return answer(bus, verifyEmail, async ({ token }) => {
    const tokenHash = hashMailToken(token)
    const email = await db.transaction().execute(async (transaction) => {
      return await useToken(transaction, tokenHash, now())
    })
    if (email === undefined) throw new RefusedError('invalid_token', 'Invalid or expired verification link')
    return { email }
  })
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
  await settleRegistrations(db, user)
  return true
}

async function keepUser(db: Db, wished: User): Promise<boolean> {
  for (const username of usernameCandidates(wished.username, wished.id)) {
    const outcome = await insertUser(db, { ...wished, username })
    if (outcome !== 'usernameTaken') return outcome === 'kept'
  }
  throw new Error('Every username to try was taken')
}
