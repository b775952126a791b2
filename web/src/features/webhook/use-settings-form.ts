import type { WebhookConfigView } from '@tripline/proto/http/key'
import { useState } from 'react'
import { useUpdateWebhookConfigMutation } from '../../shared/client.ts'
import { useCallWithToast } from '../../ui/use-call-with-toast.ts'
import { webhookTexts } from './texts.ts'

type Settings = Pick<WebhookConfigView, 'max_requests_per_minute' | 'alert_format' | 'only_tradingview'>

/** The settings as they are being changed: what the server has, and over it what somebody has chosen. */
export function useSettingsForm(config: WebhookConfigView) {
  const [chosen, setChosen] = useState<Partial<Settings>>({})
  const [update, { isLoading: isSaving }] = useUpdateWebhookConfigMutation()
  const withToast = useCallWithToast()
  const draft: Settings = { ...config, ...chosen }
  const isChanged =
    draft.max_requests_per_minute !== config.max_requests_per_minute ||
    draft.alert_format !== config.alert_format ||
    draft.only_tradingview !== config.only_tradingview

  async function save() {
    const { saved: success, saveFailure: failure } = webhookTexts
    if (await withToast(update(chosen).unwrap(), { success, failure })) setChosen({})
  }
  const change = (settings: Partial<Settings>) => setChosen((before) => ({ ...before, ...settings }))
  return { draft, change, save, isChanged, isSaving }
}
