import { serve } from '@tripline/kit/request'
import { updateWebhook } from '@tripline/proto/key-request'
import type { Deps } from '../deps.ts'
import { ensureWebhook, showWebhook } from '../ensure-webhook.ts'
import { publishUser } from '../publish.ts'
import { changeUser } from '../store/change-user.ts'
import { setWebhook } from '../store/webhook.ts'

/** Answers `keys.webhook.update`. */
export function answerUpdateWebhook(deps: Deps): () => void {
  const { bus, db, keks } = deps
  return serve(bus, updateWebhook, async ({ userId, ...changes }) => {
    const webhook = await changeUser(db, userId, async (changing) => {
      const held = await ensureWebhook(changing, keks, userId)
      const settings = {
        isActive: changes.isActive ?? held.isActive,
        maxRequestsPerMinute: changes.maxRequestsPerMinute ?? held.maxRequestsPerMinute,
        alertFormat: changes.alertFormat ?? held.alertFormat,
        onlyTradingview: changes.onlyTradingview ?? held.onlyTradingview,
      }
      await setWebhook(changing, userId, settings)
      return { ...held, ...settings }
    })
    await publishUser(deps, userId)
    return showWebhook(keks, userId, webhook)
  })
}
