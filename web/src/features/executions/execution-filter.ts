import { isOneOf } from './is-one-of.ts'
import { overallStatuses } from './overall-status.ts'

/** The filters of executions by their names in addresses: the API's, and a range of time that moves on. */
export const filterNames = [
  'api_key_label',
  'exchange',
  'symbol',
  'command_type',
  'overall_status',
  'outcome',
  'search',
  'range',
  'from',
  'to',
] as const
export type FilterName = (typeof filterNames)[number]
export type ExecutionFilter = Partial<Record<FilterName, string>>

/** Outcomes of an alert besides its status. */
export const outcomeNames = ['late', 'refused', 'repeated', 'slipped'] as const

/** Times that end now. */
export const ranges = ['1h', 'today', '24h', '7d', '30d'] as const
export type Range = (typeof ranges)[number]

/** The orders of the list; the first is the usual one. */
export const sorts = ['newest', 'oldest', 'slowest'] as const
export type Sort = (typeof sorts)[number]

export const pageSize = 20
const longestOffset = 1_000_000

// Longer ones the API refuses, and nothing has such a name.
const longestValue: Record<FilterName, number> = {
  api_key_label: 50,
  exchange: 32,
  symbol: 40,
  command_type: 32,
  overall_status: 10,
  outcome: 10,
  search: 100,
  range: 10,
  from: 30,
  to: 30,
}

const isReadable: Partial<Record<FilterName, (value: string) => boolean>> = {
  overall_status: (value) => isOneOf(overallStatuses, value),
  outcome: (value) => isOneOf(outcomeNames, value),
  range: (value) => isOneOf(ranges, value),
  from: isInstant,
  to: isInstant,
}

/** The filters that an address asks for; what no execution could have is left out. */
export function readFilter(params: URLSearchParams): ExecutionFilter {
  const filter: ExecutionFilter = {}
  for (const name of filterNames) {
    const value = params.get(name)?.trim().slice(0, longestValue[name])
    if (value && isReadable[name]?.(value) !== false) filter[name] = value
  }
  return filter
}

/** The order that an address asks for. */
export function readSort(params: URLSearchParams): Sort {
  const sort = params.get('sort')
  return sorts.find((known) => known === sort) ?? sorts[0]
}

/** Returns the number of executions before the page: a whole number of pages. */
export function readOffset(params: URLSearchParams): number {
  const offset = Number(params.get('offset'))
  return Number.isInteger(offset) && offset > 0 ? Math.min(offset - (offset % pageSize), longestOffset) : 0
}

/** The filters that one takes the place of. */
const insteadOf: Partial<Record<FilterName, readonly FilterName[]>> = {
  range: ['from', 'to'],
  from: ['range'],
  to: ['range'],
}

/** The address with one filter set, or taken away where it is empty; it begins at the first page again. */
export function withFilter(params: URLSearchParams, name: FilterName, value: string): URLSearchParams {
  const next = fromStart(params)
  for (const other of insteadOf[name] ?? []) next.delete(other)
  return withValue(next, name, value.trim())
}

/** The address of the same executions in another order, from the first page on. */
export function withSort(params: URLSearchParams, sort: Sort): URLSearchParams {
  return withValue(fromStart(params), 'sort', sort === sorts[0] ? '' : sort)
}

/** The address of the page that begins behind so many executions. */
export function withOffset(params: URLSearchParams, offset: number): URLSearchParams {
  return withValue(new URLSearchParams(params), 'offset', offset > 0 ? String(offset) : '')
}

/** The filters and the order of an address, without its page. */
export function fromStart(params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params)
  next.delete('offset')
  next.delete('id')
  return next
}

function withValue(params: URLSearchParams, name: string, value: string): URLSearchParams {
  if (value === '') params.delete(name)
  else params.set(name, value)
  return params
}

function isInstant(value: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value))
}

/** A number as it is stored, where screens show its thousands apart; any other text as it is. */
export function withoutSeparators(text: string): string {
  return /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text
}
