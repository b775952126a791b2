import type { WebhookConfigView } from '@tripline/proto/http/key'
import { Select } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { firstAble } from '../../shared/able-key.ts'
import { useListKeysQuery } from '../../shared/client.ts'
import { knownBot } from '../../shared/known-bot.ts'
import { paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { asJson } from './build-message.ts'
import { botFor, exampleMessages, sampleBot } from './example-messages.ts'
import { MessageCard } from './message-card.tsx'
import { webhookTexts } from './texts.ts'

const { messages } = webhookTexts

/** Messages for each bot that can be pasted as they are; before there is one, for a bot that does not exist. */
export function MessagesPanel({ format }: { format: WebhookConfigView['alert_format'] }) {
  const { data: keys, error, refetch } = useListKeysQuery()
  const [chosen, setChosen] = useState<string>()
  const bot = botFor(keys?.map(knownBot), chosen ?? firstAble(keys ?? [])?.label)
  const hasBots = keys !== undefined && keys.length > 0
  const isForeign = format !== 'tripline'
  return (
    <Panel
      title={messages.heading}
      actions={
        hasBots && (
          <Select
            size="small"
            className="messages-bot"
            aria-label={messages.bot}
            value={bot?.label}
            onChange={setChosen}
            options={keys.map((key) => ({ value: key.label, label: key.label }))}
          />
        )
      }
    >
      {error !== undefined && (
        <LoadFailure title={texts.general.botsFailed} error={error} onRetry={() => void refetch()} />
      )}
      {bot !== undefined && (
        <div className="stack">
          {hasBots ? <p className="quiet">{isForeign ? messages.wrapped : messages.note}</p> : <NoBots />}
          {exampleMessages(bot).map(({ name, message }) => (
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
      {messages.noBots(sampleBot.label)} <Link to={paths.apiKeys}>{messages.addKey}</Link>
    </p>
  )
}
