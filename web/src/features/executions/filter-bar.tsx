import { commandTable } from '@tripline/proto/language/command-table'
import { useListKeysQuery } from '../../shared/client.ts'
import { exchangeName, exchangeNames } from '../../shared/exchange-name.ts'
import { useIsNarrow } from '../../shared/use-media.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import type { FilterName } from './execution-filter.ts'
import { overallStatuses } from './overall-status.ts'
import { SymbolField } from './symbol-field.tsx'
import { texts } from './texts.ts'
import { useFilters } from './use-filters.ts'

/** One field for each filter; on a phone they are folded away until they are wanted. */
export function FilterBar() {
  if (!useIsNarrow()) return <Fields />
  return (
    <details className="filters-folded">
      <summary>{texts.filters.heading}</summary>
      <Fields />
    </details>
  )
}

function Fields() {
  const { data: bots = [], error, refetch } = useListKeysQuery()
  return (
    <>
      <search className="filter-bar" aria-label={texts.filters.heading}>
        <Choice name="api_key_label" options={bots.map(({ label }) => ({ value: label, name: label }))} />
        <Choice name="exchange" options={exchangeNames} />
        <SymbolField />
        <Choice name="command_type" options={commandTable.map(({ type }) => ({ value: type, name: type }))} />
        <Choice name="overall_status" options={overallStatuses.map((value) => ({ value, name: value }))} />
      </search>
      {error !== undefined && (
        <LoadFailure title={texts.filters.botsFailed} error={error} onRetry={() => void refetch()} />
      )}
    </>
  )
}

interface Option {
  value: string
  name: string
}

function Choice({ name, options }: { name: FilterName; options: readonly Option[] }) {
  const { filter, setFilter } = useFilters()
  const chosen = filter[name] ?? ''
  // A bot may be gone whose executions are still there.
  const isListed = chosen === '' || options.some(({ value }) => value === chosen)
  return (
    <label className="filter-field">
      <span>{texts.filters[name]}</span>
      <select value={chosen} onChange={({ target }) => setFilter(name, target.value)}>
        <option value="">{texts.filters.any}</option>
        {!isListed && <option value={chosen}>{chosen}</option>}
        {options.map(({ value, name: shown }) => (
          <option key={value} value={value}>
            {shown}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The filters that are set, each with a way out of it. */
export function FilterChips() {
  const { filter, setFilter, clear } = useFilters()
  const set = Object.entries(filter) as [FilterName, string][]
  if (set.length === 0) return null
  return (
    <ul className="filter-chips" aria-label={texts.filters.heading}>
      {set.map(([name, value]) => (
        <li key={name}>
          <button
            type="button"
            className="filter-chip"
            aria-label={texts.filters.remove(texts.filters[name], value)}
            onClick={() => setFilter(name, '')}
          >
            {texts.filters[name]}: <strong>{name === 'exchange' ? exchangeName(value) : value}</strong>
            <span aria-hidden="true">✕</span>
          </button>
        </li>
      ))}
      <li>
        <button type="button" className="text-button" onClick={clear}>
          {texts.filters.clear}
        </button>
      </li>
    </ul>
  )
}
