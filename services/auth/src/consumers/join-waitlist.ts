import { serve } from '@tripline/kit/bus/request'
import { joinWaitlist } from '@tripline/proto/auth-request'
import type { Deps } from '../deps.ts'
import { waitlistBudgets } from '../domain/throttle.ts'
import { insertWaiting } from '../store/waitlist.ts'
import { takeAttempts } from '../throttle.ts'

/** Serves `auth.waitlist.join`. */
export function serveJoinWaitlist(deps: Deps): () => void {
  return serve(deps.bus, joinWaitlist, async ({ email, address }) => {
    await takeAttempts(deps, waitlistBudgets(deps.throttleLimits, address))
    return { isNew: await insertWaiting(deps.db, email, deps.now()) }
  })
}
