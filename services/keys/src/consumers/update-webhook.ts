import { serve } from '@tripline/kit/bus/request'
import { updateWebhook } from '@tripline/proto/key-request'
import type { Deps } from '../deps.ts'
import { publishUser } from '../publish.ts'
import { changeUser } from '../store/change-user.ts'
import { setWebhook } from '../store/webhook.ts'
import { ensureWebhook, showWebhook } from '../webhook.ts'

/** Serves `keys.webhook.update`. */
export function serveUpdateWebhook(deps: Deps): () => void {
  const { bus, db, keks } = deps
  return serve(bus, updateWebhook, async ({ userId, ...changes }) => {
    const webhook = await changeUser(db, userId, async (changing) => {
      const stored = await ensureWebhook(changing, keks, userId)
      const settings = {
        isActive: changes.isActive ?? stored.isActive,
        maxRequestsPerMinute: changes.maxRequestsPerMinute ?? stored.maxRequestsPerMinute,
        alertFormat: changes.alertFormat ?? stored.alertFormat,
        onlyTradingview: changes.onlyTradingview ?? stored.onlyTradingview,
      }
      await setWebhook(changing, userId, settings)
      return { ...stored, ...settings }
    })
    await publishUser(deps, userId)
    return showWebhook(keks, userId, webhook)
  })
}
