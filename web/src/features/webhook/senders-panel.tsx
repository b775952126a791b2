import { Panel } from '../../ui/panel.tsx'
import { SenderList } from './sender-list.tsx'
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
