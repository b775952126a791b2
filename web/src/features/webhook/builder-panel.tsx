import { Checkbox, Segmented } from 'antd'
import { useState } from 'react'
import { firstAble } from '../../shared/able-key.ts'
import { useListKeysQuery } from '../../shared/client.ts'
import { texts } from '../../shared/texts.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { asJson, buildMessage, defaultSymbol, type MessageDraft } from './build-message.ts'
import { BuilderField } from './builder-field.tsx'
import { BotField, BuilderFields, SymbolField } from './builder-fields.tsx'
import { type DraftFaults, draftFaults } from './draft-faults.ts'
import { MessageCard } from './message-card.tsx'
import { type Follow, filledMessage, strategyMessage } from './strategy-message.ts'
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

type Mode = 'order' | 'strategy'

const modes = (['order', 'strategy'] as const).map((value) => ({ value, label: builder.modes[value] }))

/** Makes a message from a few choices, as soon as all of them can be taken. */
export function BuilderPanel() {
  const { data: keys, error, refetch } = useListKeysQuery()
  const [chosen, setChosen] = useState<Partial<MessageDraft>>({})
  const [isJson, setJson] = useState(false)
  const [mode, setMode] = useState<Mode>('order')
  const [follow, setFollow] = useState<Follow>('position')
  const label = chosen.label ?? firstAble(keys ?? [])?.label
  if (label === undefined) {
    return error === undefined ? null : (
      <Panel title={builder.heading}>
        <LoadFailure title={texts.general.botsFailed} error={error} onRetry={() => void refetch()} />
      </Panel>
    )
  }
  const isStrategy = mode === 'strategy'
  const draft: MessageDraft = { ...firstDraft, isFromChart: isStrategy, label, ...chosen }
  const faults = draftFaults(isStrategy ? { ...draft, action: 'close' } : draft)
  const message = isStrategy ? strategyMessage(draft, follow) : buildMessage(draft)
  const tried = isStrategy
    ? filledMessage(message, defaultSymbol)
    : buildMessage({ ...draft, isFromChart: false })
  const fields = {
    draft,
    faults,
    labels: keys?.map((key) => key.label) ?? [],
    onChange: (change: Partial<MessageDraft>) => setChosen((before) => ({ ...before, ...change })),
  }
  return (
    <Panel title={builder.heading}>
      <Segmented
        className="builder-mode"
        aria-label={builder.mode}
        options={modes}
        value={mode}
        onChange={setMode}
      />
      {isStrategy ? (
        <StrategyFields {...fields} follow={follow} onFollow={setFollow} />
      ) : (
        <BuilderFields {...fields} />
      )}
      <Checkbox
        className="builder-json"
        checked={isJson}
        onChange={(event) => setJson(event.target.checked)}
        title={builder.asJsonNote}
      >
        {builder.asJson}
      </Checkbox>
      {Object.keys(faults).length > 0 ? (
        <p className="quiet" role="status">
          {builder.incomplete}
        </p>
      ) : (
        <MessageCard
          name={builder.message}
          message={message}
          tried={tried}
          {...(isJson && { pasted: asJson(message) })}
        />
      )}
      {isStrategy && <StrategySteps />}
    </Panel>
  )
}

const { strategy } = webhookTexts

const ways = (['position', 'orders'] as const).map((value) => ({ value, label: strategy.ways[value] }))

interface StrategyFieldsProps {
  draft: MessageDraft
  faults: DraftFaults
  labels: readonly string[]
  follow: Follow
  onChange: (change: Partial<MessageDraft>) => void
  onFollow: (follow: Follow) => void
}

/** The fields of a message for alerts of a strategy. */
function StrategyFields({ draft, faults, labels, follow, onChange, onFollow }: StrategyFieldsProps) {
  return (
    <>
      <div className="builder-fields">
        <BotField draft={draft} labels={labels} onChange={onChange} />
        <SymbolField draft={draft} fault={faults.symbol} onChange={onChange} />
        <BuilderField label={strategy.follow}>
          {() => <Segmented aria-label={strategy.follow} options={ways} value={follow} onChange={onFollow} />}
        </BuilderField>
      </div>
      <p className="quiet strategy-note">{strategy.notes[follow]}</p>
      <p className="quiet strategy-note">{strategy.sizes}</p>
    </>
  )
}

/** The steps to an alert of a strategy in TradingView. */
function StrategySteps() {
  return (
    <section className="strategy-steps" aria-label={strategy.stepsHeading}>
      <h3>{strategy.stepsHeading}</h3>
      <ol>
        {strategy.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  )
}
