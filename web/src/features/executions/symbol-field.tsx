import { useState } from 'react'
import { texts } from './texts.ts'
import { useFilters } from './use-filters.ts'

/** The symbol to filter by; it counts with Enter, or when the field is left. */
export function SymbolField() {
  const { filter, setFilter } = useFilters()
  const current = filter.symbol ?? ''
  const [{ text, shown }, setField] = useState({ text: current, shown: current })
  const setText = (next: string) => setField({ text: next, shown: current })
  // A filter that was set elsewhere begins the text anew, and leaves the focus where it is.
  if (shown !== current) setText(current)
  const commit = () => {
    if (text.trim() !== current) setFilter('symbol', text)
  }
  return (
    <label className="filter-field">
      <span>{texts.filters.symbol}</span>
      <input
        type="text"
        value={text}
        placeholder={texts.filters.any}
        maxLength={40}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        onChange={({ target }) => setText(target.value.toUpperCase())}
        onBlur={commit}
        onKeyDown={({ key }) => {
          if (key === 'Enter') commit()
        }}
      />
    </label>
  )
}
