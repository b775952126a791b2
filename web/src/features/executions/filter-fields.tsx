import { useState } from 'react'
import { instantOf, localText } from '../../shared/moment-text.ts'
import { useZone } from '../../shared/zone.ts'
import { ranges, withoutSeparators } from './execution-filter.ts'
import { texts } from './texts.ts'
import { useFilters } from './use-filters.ts'

/** A choice of a filter: its value, and its name for people. */
export interface Option {
  value: string
  name: string
}

interface SelectFieldProps {
  label: string
  value: string
  options: readonly Option[]
  onChange: (value: string) => void
}

/** One of a few values, under its label. */
export function SelectField({ label, value: chosen, options, onChange }: SelectFieldProps) {
  return (
    <label className="filter-field">
      <span className="quiet small">{label}</span>
      <select className="plain-field" value={chosen} onChange={({ target }) => onChange(target.value)}>
        {options.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

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
      <span className="quiet small">{texts.filters[name]}</span>
      <input
        type="text"
        className="plain-field"
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

const custom = 'custom'
const times = [
  { value: '', name: texts.filters.anyTime },
  ...ranges.map((value) => ({ value, name: texts.ranges[value] })),
  { value: custom, name: texts.filters.custom },
]

/** When executions were received: within a range that ends now, or from one time to another. */
export function TimeFilter() {
  const { filter, setFilter } = useFilters()
  const [isCustom, setCustom] = useState(false)
  const hasTimes = filter.from !== undefined || filter.to !== undefined
  const isOpen = filter.range === undefined && (isCustom || hasTimes)
  const choose = (value: string) => {
    setCustom(value === custom)
    setFilter('range', value === custom ? '' : value)
  }
  return (
    <>
      <SelectField
        label={texts.filters.range}
        value={isOpen ? custom : (filter.range ?? '')}
        options={times}
        onChange={choose}
      />
      {isOpen && <TimeField name="from" />}
      {isOpen && <TimeField name="to" />}
    </>
  )
}

/** One end of the time; it counts with Enter, or when the field is left. */
function TimeField({ name }: { name: 'from' | 'to' }) {
  const { filter, setFilter } = useFilters()
  const zone = useZone()
  const current = filter[name] === undefined ? '' : localText(filter[name], zone)
  const commit = (text: string) => {
    if (text !== current) setFilter(name, instantOf(text, zone) ?? '')
  }
  return (
    <label className="filter-field">
      <span className="quiet small">
        {texts.filters[name]} ({zone})
      </span>
      <input
        key={current}
        type="datetime-local"
        className="plain-field"
        defaultValue={current}
        onBlur={({ target }) => commit(target.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') commit(currentTarget.value)
        }}
      />
    </label>
  )
}
