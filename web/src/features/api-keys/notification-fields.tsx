import { Form, Switch } from 'antd'
import { texts } from './texts.ts'

const { form: words } = texts

const switches = [
  { name: 'notify_on_trade', label: words.notifyTrade, hint: words.notifyTradeHint },
  { name: 'notify_on_error', label: words.notifyError, hint: words.notifyErrorHint },
  { name: 'notify_on_fill', label: words.notifyFill, hint: words.notifyFillHint },
] as const

/** The notifications of a bot. */
export function NotificationFields() {
  return switches.map(({ name, label, hint }) => (
    <SwitchField key={name} name={name} label={label} hint={hint} />
  ))
}

interface SwitchFieldProps {
  name: string
  label: string
  hint: string
  isDisabled?: boolean
}

/** A switch with its name and what it does beside it. */
export function SwitchField({ name, label, hint, isDisabled = false }: SwitchFieldProps) {
  return (
    <div className="switch-field">
      <Form.Item name={name} valuePropName="checked" noStyle>
        <Switch aria-label={label} disabled={isDisabled} />
      </Form.Item>
      <span>
        <strong>{label}</strong> <span className="quiet">{hint}</span>
      </span>
    </div>
  )
}
