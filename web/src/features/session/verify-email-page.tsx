import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useResendVerificationMutation, useVerifyEmailMutation } from '../../shared/client.ts'
import { failureCode, failureText } from '../../shared/failure.ts'
import { paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { useCallWithToast } from '../../ui/use-call-with-toast.ts'
import type { BroughtEmail } from './brought-email.ts'
import { FormFailure } from './form-failure.tsx'
import { Outcome } from './outcome.tsx'
import { SessionFrame } from './session-frame.tsx'
import { useMailedToken } from './use-mailed-token.ts'

/** The page of the verification mail's link. */
export function VerifyEmailPage() {
  const token = useMailedToken()
  return token === undefined ? (
    <SessionFrame heading={texts.verifyEmail.heading}>
      <Failed reason={texts.verifyEmail.noToken} />
    </SessionFrame>
  ) : (
    <Verification key={token} token={token} />
  )
}

function Verification({ token }: { token: string }) {
  const [outcome, setOutcome] = useState<{ email: string } | { reason: string }>()
  const { heading, subheading, notMine, registerOwn } = texts.verifyEmail
  if (outcome === undefined) {
    const footer = (
      <>
        {notMine} <Link to={paths.register}>{registerOwn}</Link>
      </>
    )
    return (
      <SessionFrame heading={heading} subheading={subheading} footer={footer}>
        <VerifyForm
          token={token}
          onVerified={(email) => setOutcome({ email })}
          onDead={(reason) => setOutcome({ reason })}
        />
      </SessionFrame>
    )
  }
  return (
    <SessionFrame heading={heading}>
      {'email' in outcome ? <Verified email={outcome.email} /> : <Failed reason={outcome.reason} />}
    </SessionFrame>
  )
}

function Verified({ email }: { email: string }) {
  return (
    <Outcome kind="success" heading={texts.verifyEmail.success} text={email}>
      <LinkButton
        block
        size="large"
        type="primary"
        to={paths.login}
        state={{ verifiedEmail: email } satisfies BroughtEmail}
      >
        {texts.verifyEmail.toLogin}
      </LinkButton>
    </Outcome>
  )
}

function Failed({ reason }: { reason: string }) {
  return (
    <Outcome kind="failure" heading={texts.verifyEmail.failed} text={reason}>
      <NewLinkForm />
      <LinkButton block size="large" to={paths.login}>
        {texts.verifyEmail.goToLogin}
      </LinkButton>
      <LinkButton block size="large" to={paths.register}>
        {texts.verifyEmail.registerAgain}
      </LinkButton>
    </Outcome>
  )
}

interface VerifyFormProps {
  token: string
  onVerified: (email: string) => void
  /** The link is no longer good, with the words of the server. */
  onDead: (reason: string) => void
}

/** The form that verifies an email for somebody who knows the password of its registration. */
function VerifyForm({ token, onVerified, onDead }: VerifyFormProps) {
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

/** Has a new verification link mailed in place of one that does not work any more. */
function NewLinkForm() {
  const [resend, { isLoading, isSuccess, data }] = useResendVerificationMutation()
  const withToast = useCallWithToast()
  const { label, email, emailRequired, submit } = texts.newLink
  const send = (form: { email: string }) =>
    void withToast(resend(form).unwrap(), { failure: texts.login.resendFailure })
  if (isSuccess) return <p role="status">{data.message}</p>
  return (
    <Form<{ email: string }> aria-label={label} layout="vertical" requiredMark={false} onFinish={send}>
      <Form.Item name="email" label={email} rules={[{ required: true, message: emailRequired }]}>
        <Input type="email" autoComplete="email" inputMode="email" />
      </Form.Item>
      <Button block size="large" type="primary" htmlType="submit" loading={isLoading}>
        {submit}
      </Button>
    </Form>
  )
}
