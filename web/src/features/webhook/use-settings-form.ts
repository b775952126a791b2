import type { WebhookConfigView } from '@tripline/proto/http/key'
import { useState } from 'react'
import { useUpdateWebhookConfigMutation } from '../../shared/client.ts'
import { failureText } from '../../shared/failure.ts'
import { useToast } from '../../ui/toast.ts'
import { webhookTexts } from './texts.ts'

type Settings = Pick<WebhookConfigView, 'max_requests_per_minute' | 'alert_format' | 'only_tradingview'>

/** The settings as they are being changed: what the server has, and over it what somebody has chosen. */
export function useSettingsForm(config: WebhookConfigView) {
  const [chosen, setChosen] = useState<Partial<Settings>>({})
  const [update, { isLoading: isSaving }] = useUpdateWebhookConfigMutation()
  const toast = useToast()
  const draft: Settings = { ...config, ...chosen }
  const isChanged =
    draft.max_requests_per_minute !== config.max_requests_per_minute ||
    draft.alert_format !== config.alert_format ||
    draft.only_tradingview !== config.only_tradingview

  async function save() {
    try {
      await update(chosen).unwrap()
      setChosen({})
      toast.success({ title: webhookTexts.saved })
    } catch (cause) {
      toast.error({ title: webhookTexts.saveFailure, description: failureText(cause) })
    }
  }
  const change = (settings: Partial<Settings>) => setChosen((before) => ({ ...before, ...settings }))
  return { draft, change, save, isChanged, isSaving }
}
