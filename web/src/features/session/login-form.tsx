import type { LoginBody } from '@tripline/proto/http/auth'
import { Button, Form, Input } from 'antd'
import { texts } from '../../shared/texts.ts'
import { useLogin } from './use-login.ts'

const required = (message: string) => [{ required: true, message }]

/** The form that opens a session. */
export function LoginForm() {
  const { openSession, failure, isBusy } = useLogin()
  return (
    <Form<LoginBody>
      layout="vertical"
      requiredMark={false}
      scrollToFirstError={{ focus: true }}
      onFinish={(values) => void openSession(values)}
    >
      {failure && <p className="session-failure">{failure}</p>}
      <Form.Item name="email" label={texts.login.email} rules={required(texts.login.emailRequired)}>
        <Input type="email" autoComplete="username" autoFocus inputMode="email" />
      </Form.Item>
      <Form.Item name="password" label={texts.login.password} rules={required(texts.login.passwordRequired)}>
        <Input.Password autoComplete="current-password" />
      </Form.Item>
      <Button type="primary" htmlType="submit" block size="large" loading={isBusy}>
        {texts.login.submit}
      </Button>
    </Form>
  )
}
