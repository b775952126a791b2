import { Button, Form, Input } from 'antd'
import { useResendVerificationMutation } from '../../shared/client.ts'
import { texts } from '../../shared/texts.ts'
import { useCallWithToast } from '../../ui/use-call-with-toast.ts'

/** Has a new verification link mailed in place of one that does not work any more. */
export function NewLinkForm() {
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
