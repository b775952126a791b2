import { serve } from '@tripline/kit/bus/request'
import { regenerateWebhook } from '@tripline/proto/key-request'
import { newWebhookToken, tokenContext } from '../crypto/webhook-token.ts'
import type { Deps } from '../deps.ts'
import { publishUser } from '../publish.ts'
import { changeUser } from '../store/change-user.ts'
import { setWebhookToken } from '../store/webhook.ts'
import { ensureWebhook, showWebhook } from '../webhook.ts'

/** Serves `keys.webhook.regenerate`: once it is answered, nobody knows the old token. */
export function serveRegenerateWebhook(deps: Deps): () => void {
  const { bus, db, keks } = deps
  return serve(bus, regenerateWebhook, async ({ userId }) => {
    const webhook = await changeUser(db, userId, async (changing) => {
      const stored = await ensureWebhook(changing, keks, userId)
      const token = newWebhookToken(keks, tokenContext(userId))
      await setWebhookToken(changing, userId, token)
      return { ...stored, ...token }
    })
    await publishUser(deps, userId)
    return showWebhook(keks, userId, webhook)
  })
}
