import { Button } from 'antd'
import { useTestNotificationsMutation } from '../../shared/client.ts'
import { failureText } from '../../shared/failure.ts'
import { useToast } from '../../ui/toast.ts'
import { notificationTexts } from './texts.ts'

const { form, tested, testFailure } = notificationTexts

/** Sends a message to the stored chat; why it failed stands in the status of notifications from then on. */
export function TestMessage({ isSaved }: { isSaved: boolean }) {
  const [test, { isLoading }] = useTestNotificationsMutation()
  const toast = useToast()
  async function send() {
    const reason = await test()
      .unwrap()
      .then(reasonIn, (cause) => failureText(cause, testFailure.fallback))
    if (reason === undefined) toast.success(tested)
    else toast.error({ title: testFailure.title, description: reason })
  }
  return (
    <div className="notification-test">
      <Button loading={isLoading} disabled={!isSaved} onClick={() => void send()}>
        {form.test}
      </Button>
      {!isSaved && <span className="quiet">{form.saveFirst}</span>}
    </div>
  )
}

function reasonIn({ success, error }: { success: boolean; error: string | null }): string | undefined {
  return success ? undefined : (error ?? testFailure.fallback)
}
