import { serve } from '@tripline/kit/bus/request'
import { RefusedError } from '@tripline/kit/refused-error'
import { endOtherSessions, endSession } from '@tripline/proto/auth-request'
import type { Deps } from '../deps.ts'
import { publishEnded } from '../session-ended.ts'
import { closeSessions, findSession } from '../store/session.ts'

/** Serves `auth.session.end`. */
export function serveEndSession({ bus, db, now }: Deps): () => void {
  return serve(bus, endSession, async ({ userId, sessionId }) => {
    const session = await findSession(db, sessionId)
    if (session?.userId !== userId) throw new RefusedError('not_found', 'Session not found')
    publishEnded(bus, await closeSessions(db, userId, { only: sessionId }, now()))
    return {}
  })
}

/** Serves `auth.session.end-others`. */
export function serveEndOtherSessions({ bus, db, now }: Deps): () => void {
  return serve(bus, endOtherSessions, async ({ userId, sessionId }) => {
    publishEnded(bus, await closeSessions(db, userId, { except: sessionId }, now()))
    return {}
  })
}
