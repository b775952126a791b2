import { RefusedError } from '@tripline/kit/refused-error'
import { answer } from '@tripline/kit/request'
import { getUser } from '@tripline/proto/auth-request'
import type { Deps } from '../deps.ts'
import { isAlive } from '../domain/session.ts'
import { findSession } from '../store/session.ts'
import { findUser } from '../store/user.ts'

/** Answers `auth.user.get`. */
export function answerGetUser({ bus, db, now, sessionLimits }: Deps): () => void {
  return answer(bus, getUser, async ({ userId, sessionId }) => {
    const [session, user] = await Promise.all([findSession(db, sessionId), findUser(db, userId)])
    const isTheirs = session?.userId === userId && isAlive(session, sessionLimits, now())
    if (user === undefined || !isTheirs) {
      throw new RefusedError('unauthorized', 'The session is over, please log in again')
    }
    return user
  })
}
