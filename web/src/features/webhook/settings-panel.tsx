import type { WebhookConfigView } from '@tripline/proto/http/key'
import { Button, Flex, InputNumber, Select, Switch } from 'antd'
import { useState } from 'react'
import { useUpdateWebhookConfigMutation } from '../../shared/client.ts'
import { failureText } from '../../shared/failure.ts'
import { Panel } from '../../ui/panel.tsx'
import { SettingRow } from '../../ui/setting-row.tsx'
import { useToast } from '../../ui/toast.ts'
import { RateUse } from './rate-use.tsx'
import { formatNames, formatNote, webhookTexts } from './texts.ts'
import { useSettingsForm } from './use-settings-form.ts'

const { settings } = webhookTexts

/** The webhook's settings. The switch acts at once, the rest is saved. */
export function SettingsPanel({ config }: { config: WebhookConfigView }) {
  const { draft, change, save, isChanged, isSaving } = useSettingsForm(config)
  return (
    <Panel title={settings.heading}>
      <ActiveSwitch isActive={config.is_active} />
      <RateSetting
        rate={draft.max_requests_per_minute}
        saved={config.max_requests_per_minute}
        onChange={(rate) => change({ max_requests_per_minute: rate })}
      />
      <FormatSetting format={draft.alert_format} onChange={(format) => change({ alert_format: format })} />
      <OnlyTradingviewSetting
        isOn={draft.only_tradingview}
        onChange={(isOn) => change({ only_tradingview: isOn })}
      />
      <Flex className="settings-save" wrap gap="6px 12px" align="center">
        <Button type="primary" disabled={!isChanged} loading={isSaving} onClick={() => void save()}>
          {settings.save}
        </Button>
        {isChanged && <span className="quiet">{settings.unsaved}</span>}
      </Flex>
    </Panel>
  )
}

const { saved, saveFailure } = webhookTexts
const toastKey = 'webhook-active'

/** Turns the webhook on and off at once; a notice offers the way back. */
function ActiveSwitch({ isActive }: { isActive: boolean }) {
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

type Format = WebhookConfigView['alert_format']

const formats = Object.keys(formatNames).map((value) => ({
  value: value as Format,
  label: formatNames[value as Format],
}))

interface RateSettingProps {
  rate: number
  /** The value that holds until the change is saved. */
  saved: number
  onChange: (rate: number) => void
}

/** The limit of alerts a minute, and its present use. An emptied field waits to be written anew. */
function RateSetting({ rate, saved, onChange }: RateSettingProps) {
  const [isEmpty, setEmpty] = useState(false)
  const type = (typed: number | null) => {
    setEmpty(typed === null)
    onChange(typed ?? saved)
  }
  return (
    <>
      <SettingRow label={settings.rate} note={settings.rateNote}>
        {(id) => (
          <InputNumber
            id={id}
            mode="spinner"
            className="webhook-rate"
            min={1}
            max={60}
            step={5}
            precision={0}
            value={isEmpty ? null : rate}
            onChange={type}
            onBlur={() => setEmpty(false)}
          />
        )}
      </SettingRow>
      <RateUse limit={saved} />
    </>
  )
}

/** In which form alerts are read. */
function FormatSetting({ format, onChange }: { format: Format; onChange: (format: Format) => void }) {
  return (
    <SettingRow label={settings.format} note={formatNote(format)}>
      {(id) => (
        <Select id={id} className="webhook-format" options={formats} value={format} onChange={onChange} />
      )}
    </SettingRow>
  )
}

/** Whether alerts from other addresses are refused. */
function OnlyTradingviewSetting(props: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <SettingRow label={settings.onlyTradingview} note={settings.onlyTradingviewNote}>
      {(id) => <Switch id={id} checked={props.isOn} onChange={props.onChange} />}
    </SettingRow>
  )
}
