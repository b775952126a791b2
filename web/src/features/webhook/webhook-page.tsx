import type { WebhookConfigView } from '@tripline/proto/http/key'
import { Skeleton } from 'antd'
import { useEffect } from 'react'
import { useGetWebhookConfigQuery, useListKeysQuery } from '../../shared/client.ts'
import { failureText } from '../../shared/failure.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useToast } from '../../ui/toast.ts'
import { useBatches } from '../../ui/use-batches.ts'
import { AddressPanel } from './address-panel.tsx'
import { BuilderPanel } from './builder-panel.tsx'
import { MessagesPanel } from './messages-panel.tsx'
import { SendersPanel } from './senders-panel.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { webhookTexts } from './texts.ts'
import { useUsage } from './use-usage.ts'
import './webhook.css'

/** The address that alerts are sent to, its settings, and messages to send there. */
export function WebhookPage() {
  const { data: config, error, refetch } = useGetWebhookConfigQuery()
  const { isLoading: isLoadingKeys } = useListKeysQuery()
  const { isLoading: isLoadingUsage } = useUsage()
  // All at once: a panel that came later would move what is below it.
  const isLoading = isLoadingKeys || isLoadingUsage
  const toast = useToast()
  useEffect(() => {
    const title = webhookTexts.loadFailure
    if (error) toast.error({ title, description: failureText(error), key: 'webhook-config' })
  }, [error, toast])
  return (
    <Page title={webhookTexts.heading}>
      {config && !isLoading && <WebhookPanels config={config} />}
      {(config ? isLoading : !error) && <Skeleton active paragraph={{ rows: 8 }} />}
      {!config && error && (
        <LoadFailure title={webhookTexts.loadFailure} error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  )
}

function WebhookPanels({ config }: { config: WebhookConfigView }) {
  const drawn = useBatches(6)
  return (
    <div className="webhook-columns">
      <div className="stack">
        <AddressPanel url={config.webhook_url} />
        {drawn > 1 && <BuilderPanel />}
        {drawn > 2 && <MessagesPanel format={config.alert_format} />}
      </div>
      <div className="stack">
        {drawn > 3 && <SettingsPanel config={config} />}
        {drawn > 4 && <SendersPanel />}
        {drawn > 5 && <FactsPanel />}
      </div>
    </div>
  )
}

const { facts } = webhookTexts

/** Facts about the platform that sends most alerts. */
function FactsPanel() {
  return (
    <Panel title={facts.heading}>
      <dl className="webhook-facts">
        {facts.all.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
