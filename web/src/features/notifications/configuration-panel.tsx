import type { NotificationView } from '@tripline/proto/http/notification'
import { Button, Input, Switch } from 'antd'
import { useId } from 'react'
import { Panel } from '../../ui/panel.tsx'
import '../../ui/status-chip.css'
import { missingPart } from './missing-part.ts'
import { TestMessage } from './test-message.tsx'
import { notificationTexts } from './texts.ts'
import { useNotificationForm } from './use-notification-form.ts'

const { form: words } = notificationTexts

/** The bot that tells the person, and whether it does. */
export function ConfigurationPanel({ settings }: { settings: NotificationView }) {
  const { draft, change, save, isChanged, isSaving } = useNotificationForm(settings)
  const ids = { enable: useId(), token: useId(), chatId: useId() }
  const missing = missingPart(draft)
  const isConfigured = missing === undefined
  return (
    <Panel title={words.heading} actions={<Badge isConfigured={isConfigured} />}>
      <form
        className="notification-form"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <div className="notification-switch">
          <label htmlFor={ids.enable}>{words.enable}</label>
          <Switch
            id={ids.enable}
            checked={isConfigured && draft.isEnabled}
            disabled={!isConfigured}
            aria-describedby={`${ids.enable}-note`}
            onChange={(isEnabled) => change({ isEnabled })}
          />
          <p id={`${ids.enable}-note`} className="quiet">
            {missing && words.missing[missing]}
          </p>
        </div>
        <label htmlFor={ids.token}>{words.token}</label>
        <Input.Password
          id={ids.token}
          value={draft.token}
          autoComplete="off"
          visibilityToggle={false}
          placeholder={words.tokenPlaceholder}
          onChange={(event) => change({ token: event.target.value.trim() })}
        />
        <p className="quiet">{words.tokenNote}</p>
        <label htmlFor={ids.chatId}>{words.chatId}</label>
        <Input
          id={ids.chatId}
          value={draft.chatId}
          inputMode="numeric"
          autoComplete="off"
          placeholder={words.chatIdPlaceholder}
          onChange={(event) => change({ chatId: event.target.value.replaceAll(/[^\d-]/g, '') })}
        />
        <p className="quiet">{words.chatIdNote}</p>
        <Button type="primary" htmlType="submit" loading={isSaving}>
          {words.save}
        </Button>
      </form>
      {isConfigured && <TestMessage isSaved={!isChanged} />}
    </Panel>
  )
}

function Badge({ isConfigured }: { isConfigured: boolean }) {
  return (
    <span className={`status-chip status-${isConfigured ? 'success' : 'partial'}`}>
      {isConfigured ? words.configured : words.notConfigured}
    </span>
  )
}
