import { Button, Form } from 'antd'
import { useVerifyEmailMutation } from '../../shared/client.ts'
import { failureCode, failureText } from '../../shared/failure.ts'
import { texts } from '../../shared/texts.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { FormFailure } from './form-failure.tsx'

interface VerifyFormProps {
  token: string
  onVerified: (email: string) => void
  /** The link is no longer good, with the words of the server. */
  onDead: (reason: string) => void
}

/** The form that verifies an email for somebody who knows the password of its registration. */
export function VerifyForm({ token, onVerified, onDead }: VerifyFormProps) {
  const [form] = Form.useForm<{ password: string }>()
  const [verify, { error, isLoading }] = useVerifyEmailMutation()
  const { verifyEmail: words, login } = texts
  async function send(password: string) {
    const { data, error: cause } = await verify({ token, password })
    if (data) return onVerified(data.email)
    if (failureCode(cause) === 'invalid_token') return onDead(failureText(cause, words.fallback))
    form.focusField('password')
  }
  return (
    <Form
      form={form}
      layout="vertical"
      requiredMark={false}
      scrollToFirstError={{ focus: true }}
      onFinish={({ password }) => void send(password)}
    >
      {error !== undefined && <FormFailure text={failureText(error, words.fallback)} />}
      <Form.Item
        name="password"
        label={words.password}
        extra={words.passwordHint}
        rules={[{ required: true, message: login.passwordRequired }]}
      >
        <PasswordField autoComplete="current-password" autoFocus />
      </Form.Item>
      <Button type="primary" htmlType="submit" block size="large" loading={isLoading}>
        {isLoading ? words.verifying : words.submit}
      </Button>
    </Form>
  )
}
