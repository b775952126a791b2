import { serve } from '@tripline/kit/bus/request'
import { listSessions, type Session as SessionView } from '@tripline/proto/auth-request'
import type { Deps } from '../deps.ts'
import { isAlive } from '../domain/session.ts'
import { requireSession } from '../require-session.ts'
import { listSessions as findSessions, type Session } from '../store/session.ts'

/** Serves `auth.session.list`. */
export function serveListSessions(deps: Deps): () => void {
  return serve(deps.bus, listSessions, async ({ userId, sessionId }) => {
    await requireSession(deps, userId, sessionId)
    const sessions = await findSessions(deps.db, userId)
    const living = sessions.filter((session) => isAlive(session, deps.sessionLimits, deps.now()))
    return { sessions: living.map(viewOf) }
  })
}

function viewOf({ id, createdAt, refreshedAt, address, userAgent }: Session): SessionView {
  const [opened, used] = [new Date(createdAt), new Date(refreshedAt)]
  return { id, createdAt: opened.toISOString(), usedAt: used.toISOString(), address, userAgent }
}
