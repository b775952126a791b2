import { overallStatuses, type StatusFilter } from './overall-status.ts'

/** What executions can be chosen by, as the API calls it. */
export const filterNames = ['api_key_label', 'exchange', 'symbol', 'command_type', 'overall_status'] as const
export type FilterName = (typeof filterNames)[number]
export type ExecutionFilter = Partial<Record<FilterName, string>>

export const pageSize = 20
const longestOffset = 1_000_000

// Longer ones the API refuses, and nothing has such a name.
const longestValue: Record<FilterName, number> = {
  api_key_label: 50,
  exchange: 32,
  symbol: 40,
  command_type: 32,
  overall_status: 10,
}

/** The filters that an address asks for; what no execution could have is left out. */
export function readFilter(params: URLSearchParams): ExecutionFilter {
  const filter: ExecutionFilter = {}
  for (const name of filterNames) {
    const value = params.get(name)?.trim().slice(0, longestValue[name])
    if (value && (name !== 'overall_status' || isStatus(value))) filter[name] = value
  }
  return filter
}

/** How many executions the page begins behind: a whole number of pages. */
export function readOffset(params: URLSearchParams): number {
  const offset = Number(params.get('offset'))
  return Number.isInteger(offset) && offset > 0 ? Math.min(offset - (offset % pageSize), longestOffset) : 0
}

/** The address with one filter set, or taken away where it is empty; it begins at the first page again. */
export function withFilter(params: URLSearchParams, name: FilterName, value: string): URLSearchParams {
  const next = new URLSearchParams(params)
  if (value.trim() === '') next.delete(name)
  else next.set(name, value.trim())
  next.delete('offset')
  next.delete('id')
  return next
}

/** The address of the page that begins behind so many executions. */
export function withOffset(params: URLSearchParams, offset: number): URLSearchParams {
  const next = new URLSearchParams(params)
  if (offset > 0) next.set('offset', String(offset))
  else next.delete('offset')
  return next
}

/** What the list is asked for. */
export function listQuery(filter: ExecutionFilter, offset: number) {
  const { api_key_label, exchange, symbol, command_type, overall_status } = filter
  return {
    offset,
    limit: pageSize,
    ...(api_key_label && { apiKeyLabel: api_key_label }),
    ...(exchange && { exchange }),
    ...(symbol && { symbol }),
    ...(command_type && { commandType: command_type }),
    ...(overall_status && isStatus(overall_status) && { overallStatus: overall_status }),
  }
}

function isStatus(value: string): value is StatusFilter {
  return overallStatuses.some((status) => status === value)
}
