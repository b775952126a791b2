import { serve } from '@tripline/kit/bus/request'
import { RefusedError } from '@tripline/kit/refused-error'
import { getUser } from '@tripline/proto/auth-request'
import type { Deps } from '../deps.ts'
import { requireSession } from '../require-session.ts'
import { findUser } from '../store/user.ts'

/** Serves `auth.user.get`. */
export function serveGetUser(deps: Deps): () => void {
  return serve(deps.bus, getUser, async ({ userId, sessionId }) => {
    const [user] = await Promise.all([findUser(deps.db, userId), requireSession(deps, userId, sessionId)])
    if (user === undefined) {
      throw new RefusedError('unauthorized', 'The session is over, please log in again')
    }
    return user
  })
}
