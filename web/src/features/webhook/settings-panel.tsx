import type { WebhookConfigView } from '@tripline/proto/http/key'
import { Button, InputNumber, Select, Switch } from 'antd'
import { Panel } from '../../ui/panel.tsx'
import { ActiveSwitch } from './active-switch.tsx'
import { RateUse } from './rate-use.tsx'
import { SettingRow } from './setting-row.tsx'
import { formatNames, formatNote, webhookTexts } from './texts.ts'
import { useSettingsForm } from './use-settings-form.ts'

const { settings } = webhookTexts
const formats = Object.entries(formatNames).map(([value, label]) => ({ value, label }))

/** What of the webhook can be set. The switch acts at once, the rest is saved. */
export function SettingsPanel({ config }: { config: WebhookConfigView }) {
  const { draft, change, save, isChanged, isSaving } = useSettingsForm(config)
  return (
    <Panel title={settings.heading}>
      <ActiveSwitch isActive={config.is_active} />
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
            value={draft.max_requests_per_minute}
            onChange={(rate) => change({ max_requests_per_minute: rate ?? config.max_requests_per_minute })}
          />
        )}
      </SettingRow>
      <RateUse limit={config.max_requests_per_minute} />
      <SettingRow label={settings.format} note={formatNote(draft.alert_format)}>
        {(id) => (
          <Select
            id={id}
            className="webhook-format"
            options={formats}
            value={draft.alert_format}
            onChange={(format) => change({ alert_format: format })}
          />
        )}
      </SettingRow>
      <SettingRow label={settings.onlyTradingview} note={settings.onlyTradingviewNote}>
        {(id) => (
          <Switch
            id={id}
            checked={draft.only_tradingview}
            onChange={(isOnly) => change({ only_tradingview: isOnly })}
          />
        )}
      </SettingRow>
      <div className="settings-save">
        <Button type="primary" disabled={!isChanged} loading={isSaving} onClick={() => void save()}>
          {settings.save}
        </Button>
        {isChanged && <span className="quiet">{settings.unsaved}</span>}
      </div>
    </Panel>
  )
}
