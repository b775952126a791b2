import { Button } from 'antd'
import { texts } from '../../shared/texts.ts'
import { Panel } from '../../ui/panel.tsx'
import { messageSummary } from './message-summary.ts'
import type { RecentWebhook } from './recent-webhooks.ts'
import { useBotLabels } from './use-bot-labels.ts'

interface RecentWebhooksProps {
  webhooks: readonly RecentWebhook[]
  onReuse: (message: string) => void
}

/** The messages executed last, each opening to its text. */
export function RecentWebhooks({ webhooks, onReuse }: RecentWebhooksProps) {
  const labels = useBotLabels()
  return (
    <Panel title={texts.terminal.recent} count={webhooks.length}>
      {webhooks.length === 0 && <p className="quiet">{texts.terminal.recentEmpty}</p>}
      <ul className="recent-webhooks">
        {webhooks.map((webhook) => (
          <li key={webhook.id}>
            <RecentItem webhook={webhook} labels={labels} onReuse={onReuse} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

interface RecentItemProps {
  webhook: RecentWebhook
  labels: readonly string[]
  onReuse: (message: string) => void
}

function RecentItem({ webhook: { message, timestamp }, labels, onReuse }: RecentItemProps) {
  return (
    <details className="recent-webhook">
      <summary>{messageSummary(message, labels)}</summary>
      <pre>{message}</pre>
      <div className="recent-webhook-foot">
        <time dateTime={timestamp} title={timestamp}>
          {new Date(timestamp).toLocaleString()}
        </time>
        <Button size="small" onClick={() => onReuse(message)}>
          {texts.terminal.reuse}
        </Button>
      </div>
    </details>
  )
}
