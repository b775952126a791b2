import { Checkbox, Input, InputNumber, Segmented, Select } from 'antd'
import { isSymbol, type MessageDraft } from './build-message.ts'
import { BuilderField } from './builder-field.tsx'
import { webhookTexts } from './texts.ts'

const { builder, messages } = webhookTexts

const actions = [
  { value: 'buy' as const, label: builder.buy },
  { value: 'sell' as const, label: builder.sell },
  { value: 'close' as const, label: builder.close },
]
const units = (['percentEquity', 'percentAvailable', 'base', 'quote'] as const).map((value) => ({
  value,
  label: builder.units[value],
}))

interface FieldsProps {
  draft: MessageDraft
  labels: readonly string[]
  onChange: (change: Partial<MessageDraft>) => void
}

/** What a message is made from. */
export function BuilderFields({ draft, labels, onChange }: FieldsProps) {
  return (
    <div className="builder-fields">
      <BotField draft={draft} labels={labels} onChange={onChange} />
      <SymbolField draft={draft} onChange={onChange} />
      <BuilderField label={builder.action}>
        {() => (
          <Segmented
            aria-label={builder.action}
            options={actions}
            value={draft.action}
            onChange={(action) => onChange({ action })}
          />
        )}
      </BuilderField>
      {draft.action !== 'close' && <EntryFields draft={draft} onChange={onChange} />}
    </div>
  )
}

/** The bot that a message is for. */
export function BotField({ draft, labels, onChange }: FieldsProps) {
  return (
    <BuilderField label={messages.bot}>
      {(id) => (
        <Select
          id={id}
          value={draft.label}
          options={labels.map((label) => ({ value: label, label }))}
          onChange={(label) => onChange({ label })}
        />
      )}
    </BuilderField>
  )
}

type SomeFieldsProps = Omit<FieldsProps, 'labels'>

/** The symbol of a message: one that is written, or the one of the chart. */
export function SymbolField({ draft, onChange }: SomeFieldsProps) {
  const fault = draft.isFromChart || isSymbol(draft.symbol) ? undefined : builder.symbolInvalid
  return (
    <BuilderField label={builder.symbol} {...(fault !== undefined && { fault })}>
      {(id) => (
        <>
          <Input
            id={id}
            value={draft.isFromChart ? '{{ticker}}' : draft.symbol}
            disabled={draft.isFromChart}
            {...(fault !== undefined && { status: 'error' as const })}
            onChange={(event) => onChange({ symbol: event.target.value })}
          />
          <Checkbox
            checked={draft.isFromChart}
            title={builder.fromChartNote}
            onChange={(event) => onChange({ isFromChart: event.target.checked })}
          >
            {builder.fromChart}
          </Checkbox>
        </>
      )}
    </BuilderField>
  )
}

function EntryFields({ draft, onChange }: SomeFieldsProps) {
  return (
    <>
      <NumberField label={builder.size} value={draft.size} onChange={(size) => onChange({ size })} />
      <BuilderField label={builder.unit}>
        {(id) => (
          <Select id={id} value={draft.unit} options={units} onChange={(unit) => onChange({ unit })} />
        )}
      </BuilderField>
      <NumberField
        label={builder.leverage}
        value={draft.leverage}
        max="200"
        onChange={(leverage) => onChange({ leverage })}
      />
      <NumberField
        label={builder.stopLoss}
        value={draft.stopLoss}
        max="99"
        onChange={(stopLoss) => onChange({ stopLoss })}
      />
      <NumberField
        label={builder.takeProfit}
        value={draft.takeProfit}
        max="99"
        onChange={(takeProfit) => onChange({ takeProfit })}
      />
    </>
  )
}

interface NumberFieldProps {
  label: string
  value: string
  max?: string
  onChange: (value: string) => void
}

// As text: what is written goes into an order, and a float would change it.
function NumberField({ label, value, max, onChange }: NumberFieldProps) {
  return (
    <BuilderField label={label}>
      {(id) => (
        <InputNumber
          id={id}
          stringMode
          min="0"
          {...(max !== undefined && { max })}
          value={value === '' ? null : value}
          placeholder={builder.none}
          onChange={(next) => onChange(next === null ? '' : String(next))}
        />
      )}
    </BuilderField>
  )
}
