import { Button } from 'antd'
import { useResendVerificationMutation } from '../../shared/client.ts'
import { texts } from '../../shared/texts.ts'
import { useCallWithToast } from '../../ui/use-call-with-toast.ts'

/** Has the verification link mailed once more. */
export function ResendLink({ email }: { email: string }) {
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
