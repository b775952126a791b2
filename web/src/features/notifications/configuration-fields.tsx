import { Input } from 'antd'
import { useId } from 'react'
import { isChatId, type TelegramFields } from './missing-part.ts'
import { notificationTexts } from './texts.ts'

const { form: words } = notificationTexts

interface ConfigurationFieldsProps {
  draft: TelegramFields
  hasSavedToken: boolean
  onChange: (change: Partial<TelegramFields>) => void
}

/** The bot's token, which is never shown again once it is stored, and the chat. */
export function ConfigurationFields({ draft, hasSavedToken, onChange }: ConfigurationFieldsProps) {
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
      <p className="quiet">{hasSavedToken ? words.savedTokenNote : words.tokenNote}</p>
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
        <p className="quiet">{words.chatIdNote}</p>
      )}
    </>
  )
}
