import type { WebhookConfigView } from '@tripline/proto/http/key'
import { InputNumber, Select, Switch } from 'antd'
import { useState } from 'react'
import { RateUse } from './rate-use.tsx'
import { SettingRow } from './setting-row.tsx'
import { formatNames, formatNote, webhookTexts } from './texts.ts'

const { settings } = webhookTexts

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
export function RateSetting({ rate, saved, onChange }: RateSettingProps) {
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
export function FormatSetting({ format, onChange }: { format: Format; onChange: (format: Format) => void }) {
  return (
    <SettingRow label={settings.format} note={formatNote(format)}>
      {(id) => (
        <Select id={id} className="webhook-format" options={formats} value={format} onChange={onChange} />
      )}
    </SettingRow>
  )
}

/** Whether alerts from other addresses are refused. */
export function OnlyTradingviewSetting(props: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <SettingRow label={settings.onlyTradingview} note={settings.onlyTradingviewNote}>
      {(id) => <Switch id={id} checked={props.isOn} onChange={props.onChange} />}
    </SettingRow>
  )
}
