import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import {
  type ExecutionFilter,
  type FilterName,
  readFilter,
  readOffset,
  withFilter,
  withOffset,
} from './execution-filter.ts'

export interface Filters {
  filter: ExecutionFilter
  offset: number
  /** The only execution that is asked for, where it is one. */
  id: string | null
  setFilter(name: FilterName, value: string): void
  setOffset(offset: number): void
  clear(): void
}

/** What the address asks for; every change is a step that Back undoes. */
export function useFilters(): Filters {
  const [params, setParams] = useSearchParams()
  return useMemo(
    () => ({
      filter: readFilter(params),
      offset: readOffset(params),
      id: params.get('id'),
      setFilter: (name, value) => setParams((before) => withFilter(before, name, value)),
      setOffset: (offset) => setParams((before) => withOffset(before, offset)),
      clear: () => setParams(new URLSearchParams()),
    }),
    [params, setParams],
  )
}
