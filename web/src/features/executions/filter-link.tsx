import { createContext, useContext } from 'react'
import type { FilterName } from './execution-filter.ts'
import { texts } from './texts.ts'
import { useFilters } from './use-filters.ts'

interface FilterLinkProps {
  name: FilterName
  value: string
  children: React.ReactNode
}

/** A value that, clicked, leaves only the executions that have it; the value alone where nothing filters by it. */
export function FilterLink({ name, value, children }: FilterLinkProps) {
  const { setFilter } = useFilters()
  if (!useContext(Filterable)) return <span className="filter-value">{children}</span>
  return (
    <button
      type="button"
      className="filter-link"
      title={texts.filters.by(value)}
      onClick={(event) => {
        event.stopPropagation()
        setFilter(name, value)
      }}
    >
      {children}
    </button>
  )
}

/** Whether a value leads to the executions that have it; on a card a tap anywhere opens it instead. */
export const Filterable = createContext(true)
