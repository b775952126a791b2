import { serve } from '@tripline/kit/bus/request'
import {
  getNotificationSettings,
  type NotificationSettings,
  updateNotificationSettings,
} from '@tripline/proto/notification-request'
import type { Deps } from '../deps.ts'
import { publishUser } from '../publish.ts'
import { changeUser } from '../store/change-user.ts'
import { findNotification, type StoredNotification, setNotification } from '../store/notification.ts'
import { ensureWebhook } from '../webhook.ts'

const unset: StoredNotification = { isEnabled: false, sealedToken: null, chatId: null }

/** Serves `keys.notification.get`. */
export function serveGetNotification({ bus, db }: Deps): () => void {
  return serve(bus, getNotificationSettings, async ({ userId }) =>
    show((await findNotification(db, userId)) ?? unset),
  )
}

/** Serves `keys.notification.update`. */
export function serveUpdateNotification(deps: Deps): () => void {
  const { bus, db, keks } = deps
  return serve(bus, updateNotificationSettings, async ({ userId, isEnabled, sealedToken, chatId }) => {
    const settings = await changeUser(db, userId, async (changing) => {
      await ensureWebhook(changing, keks, userId)
      const stored = (await findNotification(changing, userId)) ?? unset
      const changed = {
        isEnabled: isEnabled ?? stored.isEnabled,
        sealedToken: sealedToken === undefined ? stored.sealedToken : sealedToken,
        chatId: chatId === undefined ? stored.chatId : chatId,
      }
      await setNotification(changing, userId, changed)
      return changed
    })
    await publishUser(deps, userId)
    return show(settings)
  })
}

function show({ isEnabled, sealedToken, chatId }: StoredNotification): NotificationSettings {
  return { isEnabled, hasToken: sealedToken !== null, chatId }
}
