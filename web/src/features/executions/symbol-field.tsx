import { useState } from 'react'
import { texts } from './texts.ts'
import { useFilters } from './use-filters.ts'

/** The symbol to filter by; it counts with Enter, or when the field is left. */
export function SymbolField() {
  const { filter } = useFilters()
  const current = filter.symbol ?? ''
  // A filter that was set elsewhere begins the field anew.
  return <Field key={current} current={current} />
}

function Field({ current }: { current: string }) {
  const { setFilter } = useFilters()
  const [text, setText] = useState(current)
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
