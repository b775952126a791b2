import type { NotificationView } from '@tripline/proto/http/notification'
import { Button, Input, Switch, Tag } from 'antd'
import { useId } from 'react'
import { useTestNotificationsMutation } from '../../shared/client.ts'
import { failureText } from '../../shared/failure.ts'
import { Panel } from '../../ui/panel.tsx'
import { useToast } from '../../ui/toast.ts'
import { isChatId, missingPart, type TelegramFields } from './missing-part.ts'
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
    <Tag color={isConfigured ? 'success' : 'warning'}>
      {isConfigured ? words.configured : words.notConfigured}
    </Tag>
  )
}

interface ConfigurationFieldsProps {
  draft: TelegramFields
  hasSavedToken: boolean
  onChange: (change: Partial<TelegramFields>) => void
}

/** The bot's token, which is never shown again once it is stored, and the chat. */
function ConfigurationFields({ draft, hasSavedToken, onChange }: ConfigurationFieldsProps) {
  const isBad = draft.chatId !== '' && !isChatId(draft.chatId)
  const ids = { token: useId(), chatId: useId() }
  return (
    <>
      <label htmlFor={ids.token}>{words.token}</label>
      <Input.Password
        id={ids.token}
        value={draft.token}
        autoComplete="off"
        visibilityToggle={false}
        placeholder={words.tokenPlaceholder}
        onChange={(event) => onChange({ token: event.target.value.trim() })}
      />
      <p className="quiet small">{hasSavedToken ? words.savedTokenNote : words.tokenNote}</p>
      <label htmlFor={ids.chatId}>{words.chatId}</label>
      <Input
        id={ids.chatId}
        value={draft.chatId}
        inputMode="numeric"
        autoComplete="off"
        placeholder={words.chatIdPlaceholder}
        {...(isBad && { status: 'error' as const })}
        onChange={(event) => onChange({ chatId: event.target.value.trim() })}
      />
      {isBad ? (
        <p role="alert" className="form-fault">
          {words.missing.badChatId}
        </p>
      ) : (
        <p className="quiet small">{words.chatIdNote}</p>
      )}
    </>
  )
}

interface EnableSwitchProps {
  draft: TelegramFields & { isEnabled: boolean }
  onChange: (isEnabled: boolean) => void
}

/** Switches notifications on; while that cannot be done it says what is missing. */
function EnableSwitch({ draft, onChange }: EnableSwitchProps) {
  const id = useId()
  const missing = missingPart(draft)
  return (
    <div className="notification-switch">
      <label htmlFor={id}>{words.enable}</label>
      <Switch
        id={id}
        checked={missing === undefined && draft.isEnabled}
        disabled={missing !== undefined}
        aria-describedby={`${id}-note`}
        onChange={onChange}
      />
      <p id={`${id}-note`} className="quiet small">
        {missing && words.missing[missing]}
      </p>
    </div>
  )
}

const { form, tested, testFailure } = notificationTexts

/** Sends a message to the stored chat; why it failed stands in the status of notifications from then on. */
function TestMessage({ isSaved }: { isSaved: boolean }) {
  const [test, { isLoading }] = useTestNotificationsMutation()
  const toast = useToast()
  async function send() {
    const reason = await test()
      .unwrap()
      .then(reasonIn, (cause) => failureText(cause, testFailure.fallback))
    if (reason === undefined) toast.success(tested)
    else toast.error({ title: testFailure.title, description: reason })
  }
  return (
    <div className="notification-test">
      <Button loading={isLoading} disabled={!isSaved} onClick={() => void send()}>
        {form.test}
      </Button>
      {!isSaved && <span className="quiet small">{form.saveFirst}</span>}
    </div>
  )
}

function reasonIn({ success, error }: { success: boolean; error: string | null }): string | undefined {
  return success ? undefined : (error ?? testFailure.fallback)
}
