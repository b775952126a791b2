import { useState } from 'react'
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
      toast.success(texts.resetPassword.success)
      onDone()
    } catch (cause) {
      const description = resetFailureText(cause)
      toast.error({ title: texts.resetPassword.failure, description })
      if (isDeadLink(description)) onInvalid()
      else setFailure(description)
    }
  }
  return { reset, failure, isBusy: isLoading }
}
