import { Button, Checkbox, Form } from 'antd'
import { texts } from '../../shared/texts.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { FormFailure } from './form-failure.tsx'
import { matchHint } from './match-hint.tsx'
import { StrengthMeter } from './strength-meter.tsx'
import { useReset } from './use-reset.ts'

interface ResetFormProps {
  token: string
  onDone: () => void
  /** The link is no longer good. */
  onInvalid: () => void
}

interface ResetValues {
  password: string
  confirm: string
  newWebhookAddress: boolean
}

/** The form that sets a new password. */
export function ResetForm({ token, onDone, onInvalid }: ResetFormProps) {
  const [form] = Form.useForm<ResetValues>()
  const { password = '', confirm = '' } = Form.useWatch([], form) ?? {}
  const { reset, failure, isBusy } = useReset(token, { onDone, onInvalid })
  const { resetPassword: words } = texts
  const missing = missingOf(password, confirm)
  return (
    <Form
      form={form}
      layout="vertical"
      requiredMark={false}
      onFinish={({ newWebhookAddress }) => void reset(password, newWebhookAddress)}
    >
      <Form.Item
        name="password"
        label={words.password}
        extra={password === '' ? undefined : <StrengthMeter password={password} />}
      >
        <PasswordField autoComplete="new-password" autoFocus />
      </Form.Item>
      <Form.Item name="confirm" label={words.confirm} extra={matchHint(password, confirm, words)}>
        <PasswordField autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        className="session-choice"
        name="newWebhookAddress"
        valuePropName="checked"
        initialValue={true}
        extra={words.newWebhookAddressHint}
      >
        <Checkbox>{words.newWebhookAddress}</Checkbox>
      </Form.Item>
      {/* Beside what was pressed: on a phone a notice may lie over the beginning of the form. */}
      {failure && <FormFailure text={failure} />}
      <Button
        type="primary"
        htmlType="submit"
        block
        size="large"
        loading={isBusy}
        disabled={missing.length > 0}
        aria-describedby="reset-waits-for"
      >
        {words.submit}
      </Button>
      <p id="reset-waits-for" className="session-reason">
        {missing.length > 0 && words.waitsFor(missing)}
      </p>
    </Form>
  )
}

/** Returns the faults that keep the new password from being set. */
function missingOf(password: string, confirm: string): string[] {
  const { atLeast, equal } = texts.resetPassword
  return [password.length < 8 && atLeast, (password === '' || password !== confirm) && equal].filter(
    (thing) => thing !== false,
  )
}
