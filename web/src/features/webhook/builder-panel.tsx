import { Checkbox } from 'antd'
import { useState } from 'react'
import { useListKeysQuery } from '../../shared/client.ts'
import { texts } from '../../shared/texts.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { asJson, buildMessage, defaultSymbol, type MessageDraft } from './build-message.ts'
import { BuilderFields } from './builder-fields.tsx'
import { MessageCard } from './message-card.tsx'
import { webhookTexts } from './texts.ts'

const { builder } = webhookTexts

const firstDraft: Omit<MessageDraft, 'label'> = {
  symbol: defaultSymbol,
  isFromChart: false,
  action: 'buy',
  size: '10',
  unit: 'percentEquity',
  leverage: '',
  stopLoss: '1',
  takeProfit: '2',
}

/** Makes a message from a few choices; whatever is chosen, the message can be carried out. */
export function BuilderPanel() {
  const { data: keys, error, refetch } = useListKeysQuery()
  const [chosen, setChosen] = useState<Partial<MessageDraft>>({})
  const [isJson, setJson] = useState(false)
  const label = chosen.label ?? keys?.[0]?.label
  if (label === undefined) {
    return error === undefined ? null : (
      <Panel title={builder.heading}>
        <LoadFailure title={texts.general.botsFailed} error={error} onRetry={() => void refetch()} />
      </Panel>
    )
  }
  const draft: MessageDraft = { ...firstDraft, label, ...chosen }
  const message = buildMessage(draft)
  const tried = buildMessage({ ...draft, isFromChart: false })
  return (
    <Panel title={builder.heading}>
      <BuilderFields
        draft={draft}
        labels={keys?.map((key) => key.label) ?? []}
        onChange={(change) => setChosen((before) => ({ ...before, ...change }))}
      />
      <Checkbox
        className="builder-json"
        checked={isJson}
        onChange={(event) => setJson(event.target.checked)}
        title={builder.asJsonNote}
      >
        {builder.asJson}
      </Checkbox>
      <MessageCard
        name={builder.message}
        message={message}
        tried={tried}
        {...(isJson && { pasted: asJson(message) })}
      />
    </Panel>
  )
}
