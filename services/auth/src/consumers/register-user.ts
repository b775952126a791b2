import { serve } from '@tripline/kit/bus/request'
import { registerUser, type User } from '@tripline/proto/auth-request'
import { UserId } from '@tripline/proto/id'
import { v7 as newId } from 'uuid'
import { accountDigest } from '../crypto/account-digest.ts'
import type { Deps } from '../deps.ts'
import { mailBudgets } from '../domain/throttle.ts'
import { wishedUsername } from '../domain/username.ts'
import { insertMail } from '../store/mail.ts'
import { insertRegistration } from '../store/registration.ts'
import { takeAttempts } from '../throttle.ts'

/**
 * Serves `auth.user.register`. It does the same for every email and looks nothing up: neither its answer nor its
 * duration discloses whether the email or the username is known.
 */
export function serveRegisterUser(deps: Deps): () => void {
  return serve(deps.bus, registerUser, async ({ password, address, ...asked }) => {
    await takeAttempts(deps, mailBudgets(deps.throttleLimits, accountDigest(asked.email), address))
    const passwordHash = await deps.passwords.hash(password)
    const createdAt = deps.now()
    const user: User = {
      ...asked,
      id: UserId.parse(newId()),
      username: wishedUsername(asked.username, asked.email),
      createdAt: new Date(createdAt).toISOString(),
    }
    await deps.db.transaction().execute(async (db) => {
      await insertRegistration(db, { user, passwordHash })
      const mail = { kind: 'registered', recipient: user.email, registrationId: user.id, createdAt } as const
      await insertMail(db, mail)
    })
    return user
  })
}
