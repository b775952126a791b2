import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import PushpinFilled from '@ant-design/icons/PushpinFilled'
import PushpinOutlined from '@ant-design/icons/PushpinOutlined'
import { Button, Flex } from 'antd'
import { IconButton } from '../../ui/icon-button.tsx'
import { MessageText } from '../../ui/message-text.tsx'
import { Panel } from '../../ui/panel.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ZoneName } from '../../ui/zone-name.tsx'
import { messageSummary } from './message-summary.ts'
import type { RecentWebhook } from './recent-webhooks.ts'
import { terminalTexts } from './texts.ts'
import { useBotLabels } from './use-bots.ts'
import type { RecentWebhookList } from './use-recent-webhooks.ts'

interface RecentWebhooksProps {
  recent: RecentWebhookList
  onReuse: (message: string) => void
}

/** The messages executed last, each opening to its text. */
export function RecentWebhooks({ recent, onReuse }: RecentWebhooksProps) {
  const labels = useBotLabels()
  const { webhooks } = recent
  return (
    <Panel title={terminalTexts.recent} count={webhooks.length}>
      {webhooks.length === 0 && <p className="quiet">{terminalTexts.recentEmpty}</p>}
      <ul className="recent-webhooks">
        {webhooks.map((webhook) => (
          <li key={webhook.id}>
            <details className="recent-webhook">
              <summary>
                {webhook.pinned && <PushpinFilled className="recent-pin" aria-label={terminalTexts.pin} />}
                {messageSummary(webhook.message, labels)}
              </summary>
              <MessageText message={webhook.message} />
              <RecentFoot webhook={webhook} recent={recent} onReuse={onReuse} />
            </details>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function RecentFoot({ webhook, recent, onReuse }: RecentWebhooksProps & { webhook: RecentWebhook }) {
  const { id, message, timestamp, pinned = false } = webhook
  return (
    <Flex className="recent-webhook-foot quiet small" gap={8} align="center" justify="space-between">
      <span>
        <RelativeTime instant={timestamp} isDated /> <ZoneName />
      </span>
      <Flex gap={4}>
        <IconButton
          icon={pinned ? <PushpinFilled aria-hidden="true" /> : <PushpinOutlined aria-hidden="true" />}
          label={pinned ? terminalTexts.unpin : terminalTexts.pin}
          onClick={() => recent.pin(id, !pinned)}
        />
        <IconButton
          icon={<DeleteOutlined aria-hidden="true" />}
          label={terminalTexts.remove}
          onClick={() => recent.remove(id)}
        />
        <Button size="small" onClick={() => onReuse(message)}>
          {terminalTexts.reuse}
        </Button>
      </Flex>
    </Flex>
  )
}
