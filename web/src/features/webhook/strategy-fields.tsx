import { Segmented } from 'antd'
import type { MessageDraft } from './build-message.ts'
import { BuilderField } from './builder-field.tsx'
import { BotField, SymbolField } from './builder-fields.tsx'
import type { DraftFaults } from './draft-faults.ts'
import type { Follow } from './strategy-message.ts'
import { webhookTexts } from './texts.ts'

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
export function StrategyFields({ draft, faults, labels, follow, onChange, onFollow }: StrategyFieldsProps) {
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
export function StrategySteps() {
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
