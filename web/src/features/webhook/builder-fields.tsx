import { Checkbox, Input, Segmented, Select } from 'antd'
import type { MessageDraft } from './build-message.ts'
import { BuilderField } from './builder-field.tsx'
import type { DraftFaults } from './draft-faults.ts'
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
  faults: DraftFaults
  labels: readonly string[]
  onChange: (change: Partial<MessageDraft>) => void
}

/** The fields of a message. */
export function BuilderFields({ draft, faults, labels, onChange }: FieldsProps) {
  return (
    <div className="builder-fields">
      <BotField draft={draft} labels={labels} onChange={onChange} />
      <SymbolField draft={draft} fault={faults.symbol} onChange={onChange} />
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
      {draft.action !== 'close' && <EntryFields draft={draft} faults={faults} onChange={onChange} />}
    </div>
  )
}

/** The bot that a message is for. */
export function BotField({ draft, labels, onChange }: Omit<FieldsProps, 'faults'>) {
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

/** The symbol of a message: one that is written, or the one of the chart. */
export function SymbolField({
  draft,
  fault,
  onChange,
}: Pick<FieldsProps, 'draft' | 'onChange'> & { fault: string | undefined }) {
  return (
    <BuilderField label={builder.symbol} fault={fault}>
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

function EntryFields({ draft, faults, onChange }: Omit<FieldsProps, 'labels'>) {
  return (
    <>
      <NumberField
        label={builder.size}
        value={draft.size}
        fault={faults.size}
        onChange={(size) => onChange({ size })}
      />
      <BuilderField label={builder.unit}>
        {(id) => (
          <Select id={id} value={draft.unit} options={units} onChange={(unit) => onChange({ unit })} />
        )}
      </BuilderField>
      {optional.map((name) => (
        <NumberField
          key={name}
          label={builder[name]}
          value={draft[name]}
          fault={faults[name]}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
    </>
  )
}

const optional = ['leverage', 'stopLoss', 'takeProfit'] as const

interface NumberFieldProps {
  label: string
  value: string
  fault: string | undefined
  onChange: (value: string) => void
}

// As text: what is written goes into an order, and a float would change it.
function NumberField({ label, value, fault, onChange }: NumberFieldProps) {
  return (
    <BuilderField label={label} fault={fault}>
      {(id) => (
        <Input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          value={value}
          placeholder={builder.none}
          {...(fault !== undefined && { status: 'error' as const })}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </BuilderField>
  )
}
