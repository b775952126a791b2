import { serve } from '@tripline/kit/bus/request'
import { resendVerification } from '@tripline/proto/auth-request'
import { accountDigest } from '../crypto/account-digest.ts'
import type { Deps } from '../deps.ts'
import { mailBudgets } from '../domain/throttle.ts'
import { insertMail } from '../store/mail.ts'
import { takeAttempts } from '../throttle.ts'

/** Serves `auth.email.resend`, alike for every email: who gets a mail is found out later. */
export function serveResendVerification(deps: Deps): () => void {
  return serve(deps.bus, resendVerification, async ({ email, address }) => {
    await takeAttempts(deps, mailBudgets(deps.throttleLimits, accountDigest(email), address))
    await insertMail(deps.db, { kind: 'verify', recipient: email, createdAt: deps.now() })
    return {}
  })
}
