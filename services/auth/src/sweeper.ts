import type { Service } from '@tripline/kit/lifecycle'
import type { Deps } from './deps.ts'
import { deleteMailTokens } from './store/mail-token.ts'
import { deleteRegistrations } from './store/registration.ts'
import { deleteSessions } from './store/session.ts'
import { deleteFullBudgets } from './store/throttle.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const everyMs = hourMs

// Longer than a verification link works: a person who comes late is asked to verify, and can have another link sent.
const registrationLifeMs = 7 * dayMs

/** Forgets each hour what is of no use any more. */
export function startSweeper(deps: Deps): Service {
  const sweep = async (): Promise<void> => {
    const now = deps.now()
    await deleteRegistrations(deps.db, now - registrationLifeMs)
    await deleteMailTokens(deps.db, now - dayMs)
    await deleteSessions(deps.db, now - deps.sessionLimits.longestMs - dayMs)
    await deleteFullBudgets(deps.db, now)
  }
  const sweepQuietly = (): void => {
    void sweep().catch((error) => deps.log.warn({ err: error }, 'could not sweep'))
  }
  sweepQuietly()
  const timer = setInterval(sweepQuietly, everyMs)
  return { stop: async () => clearInterval(timer) }
}
