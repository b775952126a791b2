import { useState } from 'react'
import { withoutSeparators } from './execution-filter.ts'
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
  const [{ text, shown, set }, setField] = useState({ text: current, shown: current, set: current })
  // A filter that was set elsewhere begins the text anew, and leaves the focus where it is; behind one that was set here
  // more may be typed already.
  if (shown !== current) setField({ text: set === current ? text : current, shown: current, set: current })
  const commit = () => {
    const asked = withoutSeparators(text.trim())
    if (asked === current) return
    setField((before) => ({ ...before, set: asked }))
    setFilter(name, asked)
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
        enterKeyHint="search"
        onChange={({ target }) =>
          setField((before) => ({ ...before, text: isUpper ? target.value.toUpperCase() : target.value }))
        }
        onBlur={commit}
        onKeyDown={({ key }) => {
          if (key === 'Enter') commit()
        }}
      />
    </label>
  )
}
