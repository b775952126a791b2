import type { LoginBody } from '@tripline/proto/http/auth'
import { Alert, Button, Form, Input } from 'antd'
import { useEffect } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { useResendVerificationMutation } from '../../shared/client.ts'
import { paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { useToast } from '../../ui/toast.ts'
import { useCallWithToast } from '../../ui/use-call-with-toast.ts'
import { useBroughtEmail } from './brought-email.ts'
import { FormFailure } from './form-failure.tsx'
import { SessionFrame } from './session-frame.tsx'
import { useLogin } from './use-login.ts'

/** The page of the login. */
export function LoginPage() {
  useExpiryNotice()
  const { registeredEmail, verifiedEmail } = useBroughtEmail()
  return (
    <SessionFrame
      heading={texts.login.heading}
      footer={
        <>
          {texts.login.noAccount} <Link to={paths.register}>{texts.login.signUp}</Link>
        </>
      }
    >
      {registeredEmail !== undefined && <VerificationSent email={registeredEmail} />}
      <LoginForm email={registeredEmail ?? verifiedEmail} hasResend={registeredEmail !== undefined} />
    </SessionFrame>
  )
}

function useExpiryNotice() {
  const { search } = useLocation()
  const toast = useToast()
  useEffect(() => {
    const isExpired = new URLSearchParams(search).get('session') === 'expired'
    if (isExpired) toast.warning({ ...texts.session.expired, key: 'session-expired' })
  }, [search, toast])
}

const required = (message: string) => [{ required: true, message }]

interface LoginFormProps {
  /** The email of a person who came from the registration or its link. */
  email: string | undefined
  /** The verification link can be asked for beside the form. */
  hasResend: boolean
}

/** The form that opens a session; it begins with the first thing that is not known. */
function LoginForm({ email, hasResend }: LoginFormProps) {
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

/** Says where the verification link went, above the login that follows a registration. */
function VerificationSent({ email }: { email: string }) {
  const { heading, sent, missing, wrongEmail, registerAgain } = texts.verificationSent
  return (
    <Alert
      type="success"
      role="region"
      aria-label={heading}
      title={<h2>{heading}</h2>}
      description={
        <>
          <p>
            {sent} <strong>{email}</strong>.
          </p>
          <p className="quiet">{missing}</p>
          <ResendLink email={email} />
          <p className="quiet">
            {wrongEmail} <Link to={paths.register}>{registerAgain}</Link>
          </p>
        </>
      }
    />
  )
}

/** Has the verification link mailed once more. */
function ResendLink({ email }: { email: string }) {
  const [resend, { isLoading, isSuccess, data }] = useResendVerificationMutation()
  const withToast = useCallWithToast()
  const send = () => withToast(resend({ email }).unwrap(), { failure: texts.login.resendFailure })
  if (isSuccess) return <p role="status">{data.message}</p>
  return (
    <Button size="small" loading={isLoading} onClick={() => void send()}>
      {texts.login.resend}
    </Button>
  )
}
