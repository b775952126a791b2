import { RefusedError } from '@tripline/kit/refused-error'
import { answer } from '@tripline/kit/request'
import { registerUser, type User } from '@tripline/proto/auth-request'
import { UserId } from '@tripline/proto/id'
import { v7 as newId } from 'uuid'
import type { Deps } from '../deps.ts'
import { usernameCandidates } from '../domain/username.ts'
import type { Db } from '../store/database.ts'
import { insertCredential, insertUser } from '../store/user.ts'

/** Answers `auth.user.register`. */
export function answerRegisterUser({ bus, db, passwords, now }: Deps): () => void {
  return answer(bus, registerUser, async ({ password, ...asked }) => {
    const passwordHash = await passwords.hash(password)
    const wished = { ...asked, id: UserId.parse(newId()), createdAt: new Date(now()).toISOString() }
    return await db.transaction().execute(async (transaction) => {
      const user = await keepUser(transaction, wished)
      await insertCredential(transaction, { userId: user.id, passwordHash, changedAt: user.createdAt })
      return user
    })
  })
}

async function keepUser(db: Db, wished: User): Promise<User> {
  for (const username of usernameCandidates(wished.username, wished.email, wished.id)) {
    const user = { ...wished, username }
    const outcome = await insertUser(db, user)
    if (outcome === 'kept') return user
    if (outcome === 'emailTaken') {
      throw new RefusedError('conflict', 'An account with this email already exists')
    }
  }
  throw new Error('Every username to try was taken')
}
