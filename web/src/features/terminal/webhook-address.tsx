import { Button } from 'antd'
import { useEffect } from 'react'
import { useGetWebhookConfigQuery } from '../../shared/client.ts'
import { failureText } from '../../shared/failure.ts'
import { maskedUrl } from '../../shared/masked-url.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useToast } from '../../ui/toast.ts'
import { webhookAddressTexts } from './texts.ts'

/** The address that alerts go to, with its token hidden, ready to be copied. */
export function WebhookAddress() {
  const { data: config, error, refetch } = useGetWebhookConfigQuery()
  const toast = useToast()
  useEffect(() => {
    const title = webhookAddressTexts.loadFailure
    if (error) toast.error({ title, description: failureText(error), key: 'webhook-config' })
  }, [error, toast])
  if (error && config === undefined) {
    return <Button onClick={() => void refetch()}>{webhookAddressTexts.reload}</Button>
  }
  return (
    <span className="webhook-address">
      <span className="quiet">{webhookAddressTexts.url}</span>
      <code>{config ? maskedUrl(config.webhook_url) : webhookAddressTexts.loading}</code>
      {config && <CopyButton text={config.webhook_url} label={webhookAddressTexts.copyUrl} />}
    </span>
  )
}
