import { RefusedError } from '@tripline/kit/refused-error'
import { answer } from '@tripline/kit/request'
import { createSession, type Tokens } from '@tripline/proto/auth-request'
import { SessionId, type UserId } from '@tripline/proto/id'
import { v7 as newId } from 'uuid'
import { issueTokens } from '../crypto/issue-tokens.ts'
import { newRefreshSeed } from '../crypto/refresh-token.ts'
import type { Deps } from '../deps.ts'
import { insertSession, type Session } from '../store/session.ts'
import { findLogin } from '../store/user.ts'

/** Answers `auth.session.create`. */
export function answerCreateSession(deps: Deps): () => void {
  return answer(deps.bus, createSession, async ({ email, password }) => {
    const login = await findLogin(deps.db, email)
    // Checked for an unknown email as well: the time it takes must not tell who has an account.
    const isRight = await deps.passwords.matches(password, login?.passwordHash)
    if (login === undefined || !isRight) throw new RefusedError('invalid_login', 'Invalid email or password')
    return await openSession(deps, login.userId)
  })
}

async function openSession(deps: Deps, userId: UserId): Promise<Tokens> {
  const id = SessionId.parse(newId())
  const openedAt = deps.now()
  const session: Session = {
    id,
    userId,
    refreshSeedEnvelope: newRefreshSeed(deps.keks, id),
    usedGeneration: -1,
    createdAt: openedAt,
    refreshedAt: openedAt,
    endedAt: null,
  }
  await insertSession(deps.db, session)
  return await issueTokens(deps, session, 0)
}
