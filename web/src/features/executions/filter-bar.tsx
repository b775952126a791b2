import { commandTable } from '@tripline/proto/language/command-table'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useListKeysQuery } from '../../shared/client.ts'
import { exchangeName, exchangeNames } from '../../shared/exchange-name.ts'
import { momentText } from '../../shared/moment-text.ts'
import { useIsNarrow } from '../../shared/use-media.ts'
import { useZone } from '../../shared/zone.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { type FilterName, outcomeNames, ranges, sorts } from './execution-filter.ts'
import { type Option, SelectField, TextFilter, TimeFilter } from './filter-fields.tsx'
import { isOneOf } from './is-one-of.ts'
import { overallStatuses } from './overall-status.ts'
import { texts } from './texts.ts'
import { useFilters } from './use-filters.ts'

/** One field for each filter; on a phone all but the search are folded away until they are wanted. */
export function FilterBar() {
  if (!useIsNarrow()) {
    return (
      <Fields>
        <SearchField />
      </Fields>
    )
  }
  return (
    <>
      <search className="filter-bar" aria-label={texts.filters.search}>
        <SearchField />
      </search>
      <details className="filters-folded">
        <summary>{texts.filters.heading}</summary>
        <Fields />
      </details>
    </>
  )
}

function SearchField() {
  return <TextFilter name="search" maxLength={100} placeholder={texts.filters.searchHint} />
}

function Fields({ children }: { children?: ReactNode }) {
  const { data: bots = [], error, refetch } = useListKeysQuery()
  return (
    <>
      <search className="filter-bar" aria-label={texts.filters.heading}>
        {children}
        <Choice name="api_key_label" options={bots.map(({ label }) => ({ value: label, name: label }))} />
        <Choice name="exchange" options={exchangeNames()} />
        <TextFilter name="symbol" maxLength={40} placeholder={texts.filters.any} isUpper />
        <Choice name="command_type" options={commandTable.map(({ type }) => ({ value: type, name: type }))} />
        <Choice name="overall_status" options={overallStatuses.map((value) => ({ value, name: value }))} />
        <Choice
          name="outcome"
          options={outcomeNames.map((value) => ({ value, name: texts.outcomes[value] }))}
        />
        <TimeFilter />
        <SortField />
      </search>
      {error !== undefined && (
        <LoadFailure title={texts.filters.botsFailed} error={error} onRetry={() => void refetch()} />
      )}
    </>
  )
}

function SortField() {
  const { sort, setSort } = useFilters()
  return (
    <SelectField
      label={texts.filters.sort}
      value={sort}
      options={sorts.map((value) => ({ value, name: texts.sorts[value] }))}
      onChange={(value) => setSort(sorts.find((known) => known === value) ?? sorts[0])}
    />
  )
}

function Choice({ name, options }: { name: FilterName; options: readonly Option[] }) {
  const { filter, setFilter } = useFilters()
  const chosen = filter[name] ?? ''
  // A bot may be gone whose executions are still there.
  const isListed = chosen === '' || options.some(({ value }) => value === chosen)
  const gone = isListed ? [] : [{ value: chosen, name: chosen }]
  return (
    <SelectField
      label={texts.filters[name]}
      value={chosen}
      options={[{ value: '', name: texts.filters.any }, ...gone, ...options]}
      onChange={(value) => setFilter(name, value)}
    />
  )
}

/** The filters that are set, each with a way out of it, and what can be done with all of them. */
export function FilterChips({ children }: { children: ReactNode }) {
  const { filter, view, setFilter, clear } = useFilters()
  const zone = useZone()
  const set = Object.entries(filter) as [FilterName, string][]
  if (view === '') return null
  return (
    <ul className="filter-chips" aria-label={texts.filters.heading}>
      {set.map(([name, value]) => (
        <li key={name}>
          <Button
            size="small"
            shape="round"
            aria-label={texts.filters.remove(texts.filters[name], shownValue(name, value, zone))}
            onClick={() => setFilter(name, '')}
          >
            {texts.filters[name]}: <strong>{shownValue(name, value, zone)}</strong>
            <span aria-hidden="true">✕</span>
          </Button>
        </li>
      ))}
      {set.length > 0 && (
        <li>
          <Button size="small" type="link" onClick={clear}>
            {texts.filters.clear}
          </Button>
        </li>
      )}
      <li>{children}</li>
    </ul>
  )
}

/** The value of a filter as people read it. */
function shownValue(name: FilterName, value: string, zone: string): string {
  if (name === 'exchange') return exchangeName(value)
  if (name === 'range' && isOneOf(ranges, value)) return texts.ranges[value]
  if (name === 'outcome' && isOneOf(outcomeNames, value)) return texts.outcomes[value]
  if (name !== 'from' && name !== 'to') return value
  const { day, time } = momentText(value, zone)
  return `${day} ${time.slice(0, 5)}`
}
