import type { WebhookConfigView } from '@tripline/proto/http/key'
import { Select } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useListKeysQuery } from '../../shared/client.ts'
import { paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { asJson } from './build-message.ts'
import { exampleMessages } from './example-messages.ts'
import { MessageCard } from './message-card.tsx'
import { webhookTexts } from './texts.ts'

const { messages } = webhookTexts

/** Messages for each bot that can be pasted as they are. */
export function MessagesPanel({ format }: { format: WebhookConfigView['alert_format'] }) {
  const { data: keys, error, refetch } = useListKeysQuery()
  const [chosen, setChosen] = useState<string>()
  const label = chosen ?? keys?.[0]?.label
  const isForeign = format !== 'tripline'
  return (
    <Panel
      title={messages.heading}
      actions={
        label !== undefined && (
          <Select
            size="small"
            className="messages-bot"
            aria-label={messages.bot}
            value={label}
            onChange={setChosen}
            options={keys?.map((key) => ({ value: key.label, label: key.label })) ?? []}
          />
        )
      }
    >
      {error !== undefined && (
        <LoadFailure title={texts.general.botsFailed} error={error} onRetry={() => void refetch()} />
      )}
      {keys?.length === 0 && <NoBots />}
      {label !== undefined && (
        <div className="message-cards">
          <p className="quiet">{isForeign ? messages.wrapped : messages.note}</p>
          {exampleMessages(label).map(({ name, message }) => (
            <MessageCard
              key={name}
              name={name}
              message={message}
              {...(isForeign && { pasted: asJson(message) })}
            />
          ))}
        </div>
      )}
    </Panel>
  )
}

function NoBots() {
  return (
    <p className="quiet">
      {messages.noBots} <Link to={paths.apiKeys}>{messages.addKey}</Link>
    </p>
  )
}
