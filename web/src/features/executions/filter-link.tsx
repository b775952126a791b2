import type { FilterName } from './execution-filter.ts'
import { texts } from './texts.ts'
import { useFilters } from './use-filters.ts'

interface FilterLinkProps {
  name: FilterName
  value: string
  children: React.ReactNode
}

/** A value that, clicked, leaves only the executions that have it. */
export function FilterLink({ name, value, children }: FilterLinkProps) {
  const { setFilter } = useFilters()
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
