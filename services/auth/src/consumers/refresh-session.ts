import { serve } from '@tripline/kit/bus/request'
import { RefusedError } from '@tripline/kit/refused-error'
import { refreshSession } from '@tripline/proto/auth-request'
import { issueTokens } from '../crypto/issue-tokens.ts'
import { isGenuine, type RefreshToken, readRefreshToken } from '../crypto/refresh-token.ts'
import type { Deps } from '../deps.ts'
import { judgeRefresh } from '../domain/session.ts'
import { publishEnded } from '../session-ended.ts'
import { insertMail } from '../store/mail.ts'
import { closeSessions, lockSession, noteRefresh, type Session } from '../store/session.ts'
import { findUser } from '../store/user.ts'

/** Serves `auth.session.refresh`. */
export function serveRefreshSession(deps: Deps): () => void {
  return serve(deps.bus, refreshSession, async ({ refreshToken }) => {
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
  const { db, keks, now, sessionLimits } = deps
  const session = await lockSession(db, token.sessionId)
  if (session === undefined || !isGenuine(keks, session, token)) return undefined
  const usedAt = now()
  switch (judgeRefresh(session, token.generation, sessionLimits, usedAt)) {
    case 'refresh':
      await noteRefresh(db, session.id, { generation: token.generation, at: usedAt })
      return session
    case 'reuse':
      await endReused(deps, session, usedAt)
      return undefined
    case 'over':
      return undefined
  }
}

async function endReused({ bus, db, log }: Deps, { id, userId }: Session, usedAt: number): Promise<void> {
  const ended = await closeSessions(db, userId, { only: id }, usedAt)
  const user = await findUser(db, userId)
  if (user) await insertMail(db, { kind: 'session-reused', recipient: user.email, createdAt: usedAt })
  log.warn({ sessionId: id, userId }, 'spent refresh token used, session ended')
  publishEnded(bus, ended)
}
