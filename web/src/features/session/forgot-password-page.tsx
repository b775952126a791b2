import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useRequestPasswordResetMutation } from '../../shared/client.ts'
import { paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { Outcome } from './outcome.tsx'
import { SessionFrame } from './session-frame.tsx'

/** The page that asks for a link to a new password. */
export function ForgotPasswordPage() {
  const [isSent, setSent] = useState(false)
  const { heading, subheading, toSignIn } = texts.forgotPassword
  if (isSent) return <Sent onAgain={() => setSent(false)} />
  return (
    <SessionFrame heading={heading} subheading={subheading} footer={<Link to={paths.login}>{toSignIn}</Link>}>
      <RequestForm onSent={() => setSent(true)} />
    </SessionFrame>
  )
}

function RequestForm({ onSent }: { onSent: () => void }) {
  const [request, { isLoading }] = useRequestPasswordResetMutation()
  const { email, emailRequired, submit } = texts.forgotPassword
  // Any answer of the server looks the same, so nobody learns here whether an account exists.
  const send = (form: { email: string }) => void request(form).then(onSent)
  return (
    <Form<{ email: string }>
      layout="vertical"
      requiredMark={false}
      scrollToFirstError={{ focus: true }}
      onFinish={send}
    >
      <Form.Item name="email" label={email} rules={[{ required: true, message: emailRequired }]}>
        <Input type="email" autoComplete="email" inputMode="email" autoFocus />
      </Form.Item>
      <Button type="primary" htmlType="submit" block size="large" loading={isLoading}>
        {submit}
      </Button>
    </Form>
  )
}

function Sent({ onAgain }: { onAgain: () => void }) {
  const { heading, sentHeading, sent, tryAnother, toSignIn } = texts.forgotPassword
  return (
    <SessionFrame heading={heading}>
      <Outcome kind="success" heading={sentHeading} text={sent}>
        <LinkButton block size="large" type="primary" to={paths.login}>
          {toSignIn}
        </LinkButton>
        <Button block size="large" onClick={onAgain}>
          {tryAnother}
        </Button>
      </Outcome>
    </SessionFrame>
  )
}
