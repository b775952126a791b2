import type { WebhookUsageView } from '@tripline/proto/http/key'
import { Tag } from 'antd'
import { Panel } from '../../ui/panel.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { webhookTexts } from './texts.ts'
import { useUsage } from './use-usage.ts'

/** The recent callers of the webhook. */
export function SendersPanel() {
  const { data: usage } = useUsage()
  if (usage === undefined) return null
  return (
    <Panel title={webhookTexts.senders.heading} count={usage.senders.length}>
      {usage.senders.length === 0 && <p className="quiet">{webhookTexts.senders.none}</p>}
      <SenderList senders={usage.senders} />
    </Panel>
  )
}

/** From where a webhook was called, newest first. */
export function SenderList({ senders }: { senders: WebhookUsageView['senders'] }) {
  if (senders.length === 0) return null
  return (
    <ul className="senders">
      {senders.map(({ address, last_seen_at: seenAt, is_tradingview: isTradingview }) => (
        <li key={address}>
          <code>{address}</code>
          {isTradingview && <Tag>{webhookTexts.senders.tradingview}</Tag>}
          <span className="quiet small">
            <RelativeTime instant={seenAt} isDated />
          </span>
        </li>
      ))}
    </ul>
  )
}
