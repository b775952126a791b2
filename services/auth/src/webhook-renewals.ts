import { setTimeout as sleep } from 'node:timers/promises'
import { sendRequest } from '@tripline/kit/bus/request'
import type { Service } from '@tripline/kit/lifecycle'
import { renewWebhook } from '@tripline/proto/key-request'
import type { Deps } from './deps.ts'
import { insertMail } from './store/mail.ts'
import { findUser } from './store/user.ts'
import { deleteRenewal, takeRenewal, type WebhookRenewal } from './store/webhook-renewal.ts'

const everyMs = 1000
// Keys answer in this time or not at all.
const patienceMs = 1500
/** Time for which one attempt keeps others away from a renewal. */
export const attemptMs = 5000

/** Asks keys again for what they did not renew at once, until stopped. */
export function startWebhookRenewals(deps: Deps): Service {
  const stopping = new AbortController()
  const working = (async () => {
    while (!stopping.signal.aborted) {
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (!stopping.signal.aborted) await renewDue(deps)
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await working
    },
  }
}

/** Has keys give the webhook its new address, and mails that it has one; what fails is asked again later. */
export async function renew({ bus, db, log, now }: Deps, { id, userId }: WebhookRenewal): Promise<void> {
  try {
    await sendRequest(bus, renewWebhook, { userId, renewalId: id }, { timeoutMs: patienceMs })
    await db.transaction().execute(async (writing) => {
      if (!(await deleteRenewal(writing, id))) return
      const user = await findUser(writing, userId)
      if (user === undefined) return
      await insertMail(writing, { kind: 'webhook-renewed', recipient: user.email, createdAt: now() })
    })
  } catch (error) {
    log.warn({ err: error, userId }, 'webhook address not renewed yet')
  }
}

async function renewDue(deps: Deps): Promise<void> {
  try {
    const { db, now } = deps
    const renewal = await takeRenewal(db, now(), now() + attemptMs)
    if (renewal !== undefined) await renew(deps, renewal)
  } catch (error) {
    deps.log.warn({ err: error }, 'could not look after webhook renewals')
  }
}
