import type { NotificationView } from '@tripline/proto/http/notification'
import { Button } from 'antd'
import { Panel } from '../../ui/panel.tsx'
import '../../ui/status-chip.css'
import { ConfigurationFields } from './configuration-fields.tsx'
import { EnableSwitch } from './enable-switch.tsx'
import { isChatId, missingPart } from './missing-part.ts'
import { TestMessage } from './test-message.tsx'
import { notificationTexts } from './texts.ts'
import { useNotificationForm } from './use-notification-form.ts'

const { form: words } = notificationTexts

/** The bot that notifies the person, and whether it does. */
export function ConfigurationPanel({ settings }: { settings: NotificationView }) {
  const { draft, change, save, isChanged, isSaving } = useNotificationForm(settings)
  const isConfigured = missingPart(draft) === undefined
  const isSavable = draft.chatId === '' || isChatId(draft.chatId)
  return (
    <Panel title={words.heading} actions={<Badge isConfigured={isConfigured} />}>
      <form
        className="notification-form"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <EnableSwitch draft={draft} onChange={(isEnabled) => change({ isEnabled })} />
        <ConfigurationFields
          draft={draft}
          hasSavedToken={settings.telegram_bot_token !== null}
          onChange={change}
        />
        <Button type="primary" htmlType="submit" loading={isSaving} disabled={!isSavable}>
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
