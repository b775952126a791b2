import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTestNotificationsMutation } from '../../shared/client.ts'
import { failureText } from '../../shared/failure.ts'
import { type Notice, useToast } from '../../ui/toast.ts'
import { notificationTexts } from './texts.ts'

const { form, tested, testFailure } = notificationTexts

type TestResult = Notice & { isSent: boolean }

/** Sends a message to the stored chat, and says here what became of it. */
export function TestMessage({ isSaved }: { isSaved: boolean }) {
  const [test, { isLoading }] = useTestNotificationsMutation()
  const [result, setResult] = useState<TestResult>()
  const toast = useToast()
  async function send() {
    const ended = await test().unwrap().then(resultOf, failedBecause)
    setResult(ended)
    if (ended.isSent) toast.success(tested)
    else toast.error({ title: ended.title, ...(ended.description && { description: ended.description }) })
  }
  return (
    <div className="notification-test">
      <Button loading={isLoading} disabled={!isSaved} onClick={() => void send()}>
        {form.test}
      </Button>
      {!isSaved && <span className="quiet">{form.saveFirst}</span>}
      {result && (
        <Alert
          type={result.isSent ? 'success' : 'error'}
          showIcon
          title={result.title}
          description={result.description}
        />
      )}
    </div>
  )
}

function resultOf({ success, error }: { success: boolean; error: string | null }): TestResult {
  if (success) return { isSent: true, ...tested }
  return { isSent: false, title: testFailure.title, description: error ?? testFailure.fallback }
}

function failedBecause(cause: unknown): TestResult {
  return {
    isSent: false,
    title: testFailure.title,
    description: failureText(cause, testFailure.fallback),
  }
}
