import type { LoginBody } from '@tripline/proto/http/auth'
import { Button, Form, Input } from 'antd'
import { Link } from 'react-router-dom'
import { paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { FormFailure } from './form-failure.tsx'
import { ResendLink } from './resend-link.tsx'
import { useLogin } from './use-login.ts'

const required = (message: string) => [{ required: true, message }]

interface LoginFormProps {
  /** The email of a person who came from the registration or its link. */
  email: string | undefined
  /** The verification link can be asked for beside the form. */
  hasResend: boolean
}

/** The form that opens a session; it begins with the first thing that is not known. */
export function LoginForm({ email, hasResend }: LoginFormProps) {
  const [form] = Form.useForm<LoginBody>()
  const { openSession, failure, isBusy } = useLogin(() => form.focusField('password'))
  return (
    <Form
      form={form}
      layout="vertical"
      requiredMark={false}
      scrollToFirstError={{ focus: true }}
      initialValues={{ email }}
      onFinish={(values) => void openSession(values)}
    >
      {failure && (
        <FormFailure text={failure.text}>
          {failure.code === 'unverified' && !(hasResend && failure.email === email) && (
            <ResendLink email={failure.email} />
          )}
        </FormFailure>
      )}
      <Form.Item name="email" label={texts.login.email} rules={required(texts.login.emailRequired)}>
        <Input type="email" autoComplete="username" autoFocus={email === undefined} inputMode="email" />
      </Form.Item>
      <Form.Item name="password" label={texts.login.password} rules={required(texts.login.passwordRequired)}>
        <PasswordField autoComplete="current-password" autoFocus={email !== undefined} />
      </Form.Item>
      <p className="session-beside">
        <Link to={paths.forgotPassword}>{texts.login.forgot}</Link>
      </p>
      <Button type="primary" htmlType="submit" block size="large" loading={isBusy}>
        {texts.login.submit}
      </Button>
    </Form>
  )
}
