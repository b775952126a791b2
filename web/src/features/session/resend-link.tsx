import { Button } from 'antd'
import { useResendVerificationMutation } from '../../shared/client.ts'
import { failureText } from '../../shared/failure.ts'
import { texts } from '../../shared/texts.ts'
import { useToast } from '../../ui/toast.ts'

/** Has the verification link mailed once more. */
export function ResendLink({ email }: { email: string }) {
  const [resend, { isLoading, isSuccess, data }] = useResendVerificationMutation()
  const toast = useToast()
  async function send() {
    try {
      await resend({ email }).unwrap()
    } catch (cause) {
      toast.error({ title: texts.login.resendFailure, description: failureText(cause) })
    }
  }
  if (isSuccess) return <p role="status">{data.message}</p>
  return (
    <Button size="small" loading={isLoading} onClick={() => void send()}>
      {texts.login.resend}
    </Button>
  )
}
