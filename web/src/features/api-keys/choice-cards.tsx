import { useId } from 'react'
import type { Option } from './exchange-options.ts'

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
        <label key={option.value} className="choice-card">
          <input
            type="radio"
            name={group}
            className="visually-hidden"
            checked={option.value === value}
            disabled={option.disabledBecause !== undefined}
            onChange={() => onChange?.(option.value)}
          />
          <span>{option.name}</span>
          <span className="choice-note">{option.disabledBecause ?? option.note}</span>
        </label>
      ))}
    </fieldset>
  )
}
