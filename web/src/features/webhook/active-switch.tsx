import { Button, Switch } from 'antd'
import { useUpdateWebhookConfigMutation } from '../../shared/client.ts'
import { failureText } from '../../shared/failure.ts'
import { useToast } from '../../ui/toast.ts'
import { SettingRow } from './setting-row.tsx'
import { webhookTexts } from './texts.ts'

const { settings, saved, saveFailure } = webhookTexts
const toastKey = 'webhook-active'

/** Turns the webhook on and off at once; a notice offers the way back. */
export function ActiveSwitch({ isActive }: { isActive: boolean }) {
  const [update, { isLoading, originalArgs }] = useUpdateWebhookConfigMutation()
  const toast = useToast()
  // The wanted state is shown until the server has answered.
  const shown = isLoading ? (originalArgs?.is_active ?? isActive) : isActive

  async function switchTo(isOn: boolean, canUndo: boolean) {
    try {
      await update({ is_active: isOn }).unwrap()
      const description = isOn ? settings.turnedOn : settings.turnedOff
      const undo = (
        <Button size="small" onClick={() => void switchTo(!isOn, false)}>
          {settings.undo}
        </Button>
      )
      toast.success({ title: saved, description, key: toastKey, ...(canUndo && { actions: undo }) })
    } catch (cause) {
      toast.error({ title: saveFailure, description: failureText(cause), key: toastKey })
    }
  }
  return (
    <SettingRow label={settings.active} note={settings.activeNote}>
      {(id) => <Switch id={id} checked={shown} onChange={(isOn) => void switchTo(isOn, true)} />}
    </SettingRow>
  )
}
