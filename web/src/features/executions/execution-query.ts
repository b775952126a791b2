import { instantOf, localText } from '../../shared/moment-text.ts'
import {
  type ExecutionFilter,
  outcomeNames,
  pageSize,
  type Range,
  ranges,
  type Sort,
  sorts,
} from './execution-filter.ts'
import { isOneOf } from './is-one-of.ts'
import { overallStatuses } from './overall-status.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const lengths: Record<Exclude<Range, 'today'>, number> = {
  '1h': hourMs,
  '24h': 24 * hourMs,
  '7d': 7 * 24 * hourMs,
  '30d': 30 * 24 * hourMs,
}

/** A moment, and the zone whose days are meant. */
export interface Present {
  nowMs: number
  zone: string
}

/** Returns the API's query for these filters; a range of time begins with a whole minute. */
export function filterQuery(filter: ExecutionFilter, present: Present) {
  const { api_key_label, exchange, symbol, command_type, overall_status, outcome, search, to } = filter
  const from = beginOf(filter, present)
  return {
    ...(api_key_label && { apiKeyLabel: api_key_label }),
    ...(exchange && { exchange }),
    ...(symbol && { symbol }),
    ...(command_type && { commandType: command_type }),
    ...(overall_status && isOneOf(overallStatuses, overall_status) && { overallStatus: overall_status }),
    ...(outcome && isOneOf(outcomeNames, outcome) && { outcome }),
    ...(search && { search }),
    ...(from && { from }),
    ...(to && { to }),
  }
}

/** Returns the query of the list. */
export function listQuery(filter: ExecutionFilter, sort: Sort, offset: number, present: Present) {
  return { offset, limit: pageSize, ...(sort !== sorts[0] && { sort }), ...filterQuery(filter, present) }
}

/** Returns the query of a file with all of them. */
export function exportQuery(
  format: string,
  filter: ExecutionFilter,
  sort: Sort,
  present: Present,
): URLSearchParams {
  const { range: _range, ...named } = filter
  const from = beginOf(filter, present)
  return new URLSearchParams({ format, sort, ...named, ...(from && { from }) })
}

function beginOf({ range, from }: ExecutionFilter, { nowMs, zone }: Present): string | undefined {
  if (range === undefined || !isOneOf(ranges, range)) return from
  const minute = nowMs - (nowMs % minuteMs)
  if (range !== 'today') return new Date(minute - lengths[range]).toISOString()
  return instantOf(`${localText(new Date(nowMs).toISOString(), zone).slice(0, 10)}T00:00`, zone)
}
