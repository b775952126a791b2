import { serve } from '@tripline/kit/bus/request'
import { requestPasswordReset } from '@tripline/proto/auth-request'
import { accountDigest } from '../crypto/account-digest.ts'
import type { Deps } from '../deps.ts'
import { mailBudgets } from '../domain/throttle.ts'
import { insertMail } from '../store/mail.ts'
import { takeAttempts } from '../throttle.ts'

/** Serves `auth.password.request`, alike for every email: who gets a mail is found out later. */
export function serveRequestPasswordReset(deps: Deps): () => void {
  return serve(deps.bus, requestPasswordReset, async ({ email, address }) => {
    await takeAttempts(deps, mailBudgets(deps.throttleLimits, accountDigest(email), address))
    await insertMail(deps.db, { kind: 'reset', recipient: email, createdAt: deps.now() })
    return {}
  })
}
