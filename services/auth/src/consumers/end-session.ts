import { answer } from '@tripline/kit/request'
import { endSession } from '@tripline/proto/auth-request'
import type { Deps } from '../deps.ts'
import { closeSession } from '../store/session.ts'

/** Answers `auth.session.end`. */
export function answerEndSession({ bus, db, now }: Deps): () => void {
  return answer(bus, endSession, async ({ sessionId }) => {
    await closeSession(db, sessionId, now())
    return {}
  })
}
