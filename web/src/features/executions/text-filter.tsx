import { useState } from 'react'
import { texts } from './texts.ts'
import { useFilters } from './use-filters.ts'

interface TextFilterProps {
  name: 'symbol' | 'search'
  maxLength: number
  placeholder: string
  /** Shows what is typed in capitals, as symbols are. */
  isUpper?: boolean
}

/** A text to filter by; it counts with Enter, or when the field is left. */
export function TextFilter({ name, maxLength, placeholder, isUpper = false }: TextFilterProps) {
  const { filter, setFilter } = useFilters()
  const current = filter[name] ?? ''
  const [{ text, shown }, setField] = useState({ text: current, shown: current })
  const setText = (next: string) => setField({ text: next, shown: current })
  // A filter that was set elsewhere begins the text anew, and leaves the focus where it is.
  if (shown !== current) setText(current)
  const commit = () => {
    if (text.trim() !== current) setFilter(name, text)
  }
  return (
    <label className={`filter-field filter-${name}`}>
      <span>{texts.filters[name]}</span>
      <input
        type="text"
        value={text}
        placeholder={placeholder}
        maxLength={maxLength}
        autoComplete="off"
        autoCapitalize={isUpper ? 'characters' : 'none'}
        spellCheck={false}
        onChange={({ target }) => setText(isUpper ? target.value.toUpperCase() : target.value)}
        onBlur={commit}
        onKeyDown={({ key }) => {
          if (key === 'Enter') commit()
        }}
      />
    </label>
  )
}
