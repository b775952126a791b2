import type { WebhookConfigView } from '@tripline/proto/http/key'
import { Alert, Button, Skeleton } from 'antd'
import { useState } from 'react'
import { useGetWebhookConfigQuery, useListKeysQuery } from '../../shared/client.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SecretUrl } from '../../ui/secret-url.tsx'
import { useBatches } from '../../ui/use-batches.ts'
import { useFailureNotice } from '../../ui/use-failure-notice.ts'
import { BuilderPanel } from './builder-panel.tsx'
import { MessagesPanel } from './messages-panel.tsx'
import { unreachableBecause } from './reach.ts'
import { RegenerateDialog } from './regenerate-dialog.tsx'
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
  useFailureNotice('webhook-config', webhookTexts.loadFailure, error)
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
            <dd className="quiet small">{text}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

const { address } = webhookTexts

/** The webhook's address, its token hidden until somebody asks. */
function AddressPanel({ url }: { url: string }) {
  const [isRegenerating, setRegenerating] = useState(false)
  const reason = unreachableBecause(url)
  return (
    <Panel
      title={address.heading}
      actions={
        <Button size="small" danger onClick={() => setRegenerating(true)}>
          {address.regenerate}
        </Button>
      }
    >
      <SecretUrl key={url} url={url} texts={address} />
      <p className="quiet">{address.secret}</p>
      {reason && <Alert className="webhook-reach" type="info" showIcon title={address[reason]} />}
      <RegenerateDialog isOpen={isRegenerating} onClose={() => setRegenerating(false)} />
    </Panel>
  )
}
