import { RefusedError } from '@tripline/kit/refused-error'
import type { SessionId, UserId } from '@tripline/proto/id'
import type { Deps } from './deps.ts'
import { isAlive } from './domain/session.ts'
import { findSession } from './store/session.ts'

/** Refuses a session that has ended or is not of this user. */
export async function requireSession(
  { db, now, sessionLimits }: Pick<Deps, 'db' | 'now' | 'sessionLimits'>,
  userId: UserId,
  sessionId: SessionId,
): Promise<void> {
  const session = await findSession(db, sessionId)
  if (session?.userId === userId && isAlive(session, sessionLimits, now())) return
  throw new RefusedError('unauthorized', 'The session is over, please log in again')
}
