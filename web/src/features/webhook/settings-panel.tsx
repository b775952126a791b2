import type { WebhookConfigView } from '@tripline/proto/http/key'
import { Button } from 'antd'
import { Panel } from '../../ui/panel.tsx'
import { ActiveSwitch } from './active-switch.tsx'
import { FormatSetting, OnlyTradingviewSetting, RateSetting } from './saved-settings.tsx'
import { webhookTexts } from './texts.ts'
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
      <div className="settings-save">
        <Button type="primary" disabled={!isChanged} loading={isSaving} onClick={() => void save()}>
          {settings.save}
        </Button>
        {isChanged && <span className="quiet">{settings.unsaved}</span>}
      </div>
    </Panel>
  )
}
