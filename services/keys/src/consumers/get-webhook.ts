import { serve } from '@tripline/kit/bus/request'
import { getWebhook } from '@tripline/proto/key-request'
import type { Deps } from '../deps.ts'
import { publishUser } from '../publish.ts'
import { changeUser } from '../store/change-user.ts'
import { findWebhook } from '../store/webhook.ts'
import { ensureWebhook, showWebhook } from '../webhook.ts'

/** Serves `keys.webhook.get`. */
export function serveGetWebhook(deps: Deps): () => void {
  const { bus, db, keks } = deps
  return serve(bus, getWebhook, async ({ userId }) => {
    const stored = await findWebhook(db, userId)
    if (stored !== undefined) return showWebhook(keks, userId, stored)
    const made = await changeUser(db, userId, async (changing) => await ensureWebhook(changing, keks, userId))
    await publishUser(deps, userId)
    return showWebhook(keks, userId, made)
  })
}
