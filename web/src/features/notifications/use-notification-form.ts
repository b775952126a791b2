import type { NotificationView } from '@tripline/proto/http/notification'
import { useState } from 'react'
import { useUpdateNotificationsMutation } from '../../shared/client.ts'
import { failureList } from '../../shared/failure.ts'
import { useToast } from '../../ui/toast.ts'
import { missingPart, type TelegramFields } from './missing-part.ts'
import { notificationTexts } from './texts.ts'

interface Draft extends TelegramFields {
  isEnabled: boolean
}

/** The settings as they are being changed; after a save they are what the server answered. */
export function useNotificationForm(settings: NotificationView) {
  const [typed, setTyped] = useState<Partial<Draft>>({})
  const [update, { isLoading: isSaving }] = useUpdateNotificationsMutation()
  const toast = useToast()
  const stored = draftOf(settings)
  const draft = { ...stored, ...typed }
  const isChanged =
    draft.token !== stored.token || draft.chatId !== stored.chatId || draft.isEnabled !== stored.isEnabled

  async function save() {
    const isConfigured = missingPart(draft) === undefined
    try {
      await update({
        telegram_enabled: isConfigured && draft.isEnabled,
        telegram_bot_token: draft.token || null,
        telegram_chat_id: draft.chatId || null,
      }).unwrap()
      setTyped({})
      toast.success(notificationTexts.saved)
    } catch (cause) {
      toast.error({ title: notificationTexts.saveFailure, description: failureList(cause) })
    }
  }
  const change = (part: Partial<Draft>) => setTyped((before) => ({ ...before, ...part }))
  return { draft, change, save, isChanged, isSaving }
}

function draftOf(settings: NotificationView): Draft {
  return {
    isEnabled: settings.telegram_enabled,
    token: settings.telegram_bot_token ?? '',
    chatId: settings.telegram_chat_id ?? '',
  }
}
