import { RefusedError } from '@tripline/kit/refused-error'
import { answer } from '@tripline/kit/request'
import { refreshSession } from '@tripline/proto/auth-request'
import { issueTokens } from '../crypto/issue-tokens.ts'
import { isGenuine, type RefreshToken, readRefreshToken } from '../crypto/refresh-token.ts'
import type { Deps } from '../deps.ts'
import { judgeRefresh } from '../domain/session.ts'
import { closeSession, lockSession, noteRefresh, type Session } from '../store/session.ts'

/** Answers `auth.session.refresh`. */
export function answerRefreshSession(deps: Deps): () => void {
  return answer(deps.bus, refreshSession, async ({ refreshToken }) => {
    const token = readRefreshToken(refreshToken)
    const session = token && (await deps.db.transaction().execute((db) => useToken({ ...deps, db }, token)))
    if (token === undefined || session === undefined) {
      throw new RefusedError('unauthorized', 'The session is over, please log in again')
    }
    return await issueTokens(deps, session, token.generation + 1)
  })
}

/** The session that the token refreshes, or undefined when it refreshes none. */
async function useToken(deps: Deps, token: RefreshToken): Promise<Session | undefined> {
  const { db, keks, log, now, sessionLimits } = deps
  const session = await lockSession(db, token.sessionId)
  if (session === undefined || !isGenuine(keks, session, token)) return undefined
  const usedAt = now()
  switch (judgeRefresh(session, token.generation, sessionLimits, usedAt)) {
    case 'refresh':
      await noteRefresh(db, session.id, { generation: token.generation, at: usedAt })
      return session
    case 'reuse':
      await closeSession(db, session.id, usedAt)
      log.warn({ sessionId: session.id, userId: session.userId }, 'spent refresh token used, session ended')
      return undefined
    case 'over':
      return undefined
  }
}
