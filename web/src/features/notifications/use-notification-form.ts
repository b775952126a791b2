import type { NotificationView } from '@tripline/proto/http/notification'
import { useState } from 'react'
import { useUpdateNotificationsMutation } from '../../shared/client.ts'
import { useCallWithToast } from '../../ui/use-call-with-toast.ts'
import { missingPart, type TelegramFields } from './missing-part.ts'
import { notificationTexts } from './texts.ts'

interface Draft extends TelegramFields {
  isEnabled: boolean
}

/** The settings as they are being changed; after a save they are what the server answered. */
export function useNotificationForm(settings: NotificationView) {
  const [typed, setTyped] = useState<Partial<Draft>>({})
  const [update, { isLoading: isSaving }] = useUpdateNotificationsMutation()
  const withToast = useCallWithToast()
  const stored = draftOf(settings)
  const draft = { ...stored, ...typed }
  const isChanged =
    draft.token !== stored.token || draft.chatId !== stored.chatId || draft.isEnabled !== stored.isEnabled

  async function save() {
    const isConfigured = missingPart(draft) === undefined
    const call = update({
      telegram_enabled: isConfigured && draft.isEnabled,
      telegram_bot_token: draft.token || null,
      telegram_chat_id: draft.chatId || null,
    }).unwrap()
    const { saved: success, saveFailure: failure } = notificationTexts
    if (await withToast(call, { success, failure })) setTyped({})
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
