import type { WebhookUsageView } from '@tripline/proto/http/key'
import { Tag } from 'antd'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { webhookTexts } from './texts.ts'

/** From where a webhook was called, newest first. */
export function SenderList({ senders }: { senders: WebhookUsageView['senders'] }) {
  if (senders.length === 0) return null
  return (
    <ul className="senders">
      {senders.map(({ address, last_seen_at: seenAt, is_tradingview: isTradingview }) => (
        <li key={address}>
          <code>{address}</code>
          {isTradingview && <Tag>{webhookTexts.senders.tradingview}</Tag>}
          <RelativeTime instant={seenAt} isDated />
        </li>
      ))}
    </ul>
  )
}
