import { serve } from '@tripline/kit/bus/request'
import { renewWebhook } from '@tripline/proto/key-request'
import { closeOnlyContext, newWebhookToken, tokenContext } from '../crypto/webhook-token.ts'
import type { Deps } from '../deps.ts'
import { publishUser } from '../publish.ts'
import { changeUser } from '../store/change-user.ts'
import { listCloseOnlyBots, setCloseOnlyToken } from '../store/close-only-address.ts'
import { findWebhook, noteRenewal, setWebhookToken } from '../store/webhook.ts'

/** Serves `keys.webhook.renew`: once it is answered, nobody knows the old tokens, those of close-only addresses among them. */
export function serveRenewWebhook(deps: Deps): () => void {
  const { bus, db, keks } = deps
  return serve(bus, renewWebhook, async ({ userId, renewalId }) => {
    if ((await findWebhook(db, userId)) === undefined) return {}
    await changeUser(db, userId, async (changing) => {
      if (!(await noteRenewal(changing, userId, renewalId))) return
      await setWebhookToken(changing, userId, newWebhookToken(keks, tokenContext(userId)))
      for (const botId of await listCloseOnlyBots(changing, userId)) {
        await setCloseOnlyToken(changing, botId, newWebhookToken(keks, closeOnlyContext(botId)))
      }
    })
    await publishUser(deps, userId)
    return {}
  })
}
