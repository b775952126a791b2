import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import {
  type ExecutionFilter,
  type FilterName,
  fromStart,
  readFilter,
  readOffset,
  readSort,
  type Sort,
  withFilter,
  withOffset,
  withSort,
} from './execution-filter.ts'

export interface Filters {
  filter: ExecutionFilter
  sort: Sort
  offset: number
  /** The only execution that is asked for, where it is one. */
  id: string | null
  /** Filters and order as an address has them. */
  view: string
  setFilter(name: FilterName, value: string): void
  setSort(sort: Sort): void
  setOffset(offset: number): void
  show(view: string): void
  clear(): void
}

/** Returns the filters of the address; every change is a step that Back undoes. */
export function useFilters(): Filters {
  const [params, setParams] = useSearchParams()
  return useMemo(
    () => ({
      filter: readFilter(params),
      sort: readSort(params),
      offset: readOffset(params),
      id: params.get('id'),
      view: fromStart(params).toString(),
      setFilter: (name, value) => setParams((before) => withFilter(before, name, value)),
      setSort: (sort) => setParams((before) => withSort(before, sort)),
      setOffset: (offset) => setParams((before) => withOffset(before, offset)),
      show: (view) => setParams(new URLSearchParams(view)),
      clear: () => setParams(new URLSearchParams()),
    }),
    [params, setParams],
  )
}
