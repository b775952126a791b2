import { Switch } from 'antd'
import { useId } from 'react'
import { missingPart, type TelegramFields } from './missing-part.ts'
import { notificationTexts } from './texts.ts'

const { form: words } = notificationTexts

interface EnableSwitchProps {
  draft: TelegramFields & { isEnabled: boolean }
  onChange: (isEnabled: boolean) => void
}

/** Switches notifications on; while that cannot be done it says what is missing. */
export function EnableSwitch({ draft, onChange }: EnableSwitchProps) {
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
      <p id={`${id}-note`} className="quiet">
        {missing && words.missing[missing]}
      </p>
    </div>
  )
}
