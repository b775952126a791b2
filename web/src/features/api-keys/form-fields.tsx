import { Flex, Form, Input, Switch } from 'antd'
import { type ReactNode, useId } from 'react'
import { labelFault } from '../../ui/paper/label-fault.ts'
import { paperTexts } from '../../ui/paper/paper-texts.ts'
import type { Option } from './exchange-options.ts'
import { isLabelTaken } from './key-values.ts'
import { texts } from './texts.ts'

/** A numbered part of a form. */
export function FormStep({
  number,
  title,
  children,
}: {
  number: number
  title: string
  children: ReactNode
}) {
  return (
    <section className="form-step" aria-label={title}>
      <h2>
        <span aria-hidden="true">{number}</span> {title}
      </h2>
      {children}
    </section>
  )
}

interface LabelFieldProps {
  /** The labels that are taken. */
  others: readonly string[]
  /** The label that alerts know the bot by so far. */
  current?: string
}

/** The label of a bot, checked while it is typed. */
export function LabelField({ others, current }: LabelFieldProps) {
  const typed: string | undefined = Form.useWatch('label')
  const isRenamed = current !== undefined && typed !== undefined && !isLabelTaken(typed, [current])
  return (
    <Form.Item
      name="label"
      label={texts.form.label}
      extra={isRenamed ? texts.form.renamed(current) : paperTexts.add.labelHint}
      rules={[{ validator: checkLabel }, { validator: warnOfTaken(others), warningOnly: true }]}
    >
      <Input autoFocus autoComplete="off" spellCheck={false} />
    </Form.Item>
  )
}

async function checkLabel(_rule: unknown, label = '') {
  const fault = labelFault(label)
  if (fault !== undefined) throw new Error(fault)
}

function warnOfTaken(others: readonly string[]) {
  return async (_rule: unknown, label = '') => {
    if (isLabelTaken(label, others)) throw new Error(texts.form.labelTaken)
  }
}

interface ChoiceCardsProps {
  /** The name of the choice. */
  name: string
  /** Whether a heading says that already to those who see the page. */
  isNamedAbove?: boolean
  options: readonly Option[]
  // Given by the form around it.
  value?: string
  onChange?: (value: string) => void
}

/** One of a few, each as a card; those that cannot be chosen say why. */
export function ChoiceCards({ name, isNamedAbove = false, options, value, onChange }: ChoiceCardsProps) {
  const group = useId()
  return (
    <fieldset className="choice-cards">
      <legend className={isNamedAbove ? 'visually-hidden' : 'choice-legend'}>{name}</legend>
      {options.map((option) => (
        <label key={option.value} className="choice choice-card">
          <input
            type="radio"
            name={group}
            className="visually-hidden"
            checked={option.value === value}
            disabled={option.disabledBecause !== undefined}
            onChange={() => onChange?.(option.value)}
          />
          <span>{option.name}</span>
          <span className="choice-note quiet small">{option.disabledBecause ?? option.note}</span>
        </label>
      ))}
    </fieldset>
  )
}

const { form: words } = texts

const switches = [
  { name: 'notify_on_trade', label: words.notifyTrade, hint: words.notifyTradeHint },
  { name: 'notify_on_error', label: words.notifyError, hint: words.notifyErrorHint },
  { name: 'notify_on_fill', label: words.notifyFill, hint: words.notifyFillHint },
] as const

/** The notifications of a bot. */
export function NotificationFields() {
  return switches.map(({ name, label, hint }) => (
    <SwitchField key={name} name={name} label={label} hint={hint} />
  ))
}

interface SwitchFieldProps {
  name: string
  label: string
  hint: string
  isDisabled?: boolean
}

/** A switch with its name and what it does beside it. */
export function SwitchField({ name, label, hint, isDisabled = false }: SwitchFieldProps) {
  return (
    <Flex className="switch-field" gap={10} align="center">
      <Form.Item name={name} valuePropName="checked" noStyle>
        <Switch aria-label={label} disabled={isDisabled} />
      </Form.Item>
      <span>
        <strong>{label}</strong> <span className="quiet">{hint}</span>
      </span>
    </Flex>
  )
}
