import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useResetPasswordMutation } from '../../shared/client.ts'
import { texts } from '../../shared/texts.ts'
import { useToast } from '../../ui/toast.ts'
import { isDeadLink, resetFailureText } from './reset-failure.ts'

/** Sets a new password with the token of a mailed link. */
export function useReset(
  token: string,
  { onDone, onInvalid }: { onDone: () => void; onInvalid: () => void },
) {
  const [confirm, { isLoading }] = useResetPasswordMutation()
  const [failure, setFailure] = useState<string>()
  const toast = useToast()

  async function reset(password: string, newWebhookAddress: boolean) {
    setFailure(undefined)
    try {
      await confirm({
        token,
        new_password: password,
        new_webhook_address: newWebhookAddress,
      }).unwrap()
      // The outcome is drawn before the notice, which keeps clear of it.
      flushSync(onDone)
      toast.success(texts.resetPassword.success)
    } catch (cause) {
      const description = resetFailureText(cause)
      flushSync(() => (isDeadLink(description) ? onInvalid() : setFailure(description)))
      toast.error({ title: texts.resetPassword.failure, description })
    }
  }
  return { reset, failure, isBusy: isLoading }
}
