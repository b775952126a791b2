import { z } from 'zod'
import type { RecordedMarket, Source } from '../read/drift.ts'
import { readFrom, spare, Text, Whole } from '../read/read-fields.ts'
import { readRows } from './read-rows.ts'

/** Something the venue counts within a window of time, and how much of it is allowed. */
export interface Meter {
  /** The header of answers by which it reports the count. */
  header: string
  windowMs: number
  most: number
}

/** The limits that a market of the venue counts: request weight of an address, and orders of an account. */
export interface LimitTable {
  weights: readonly Meter[]
  orders: readonly Meter[]
  /** The weight is counted for each account, which only the paper exchange does. */
  isPerAccount?: boolean
}

/** The table of a venue that has not reported its limits, or has none. */
export const noLimits: LimitTable = { weights: [], orders: [] }

const intervals = { SECOND: 1000, MINUTE: 60_000, HOUR: 3_600_000, DAY: 86_400_000 } as const

const RateLimit = z.object({
  rateLimitType: Text,
  interval: z.enum(Object.keys(intervals) as (keyof typeof intervals)[]),
  intervalNum: Whole,
  limit: Whole,
  per: spare('per', Text, undefined),
})

const inExchangeInfo = /"rateLimits":\s*(\[[^\]]*\])/

/** Returns the part of a long text, which is parsed as a whole only where that part holds lists of its own. */
function rateLimitsIn(text: string): unknown {
  const part = inExchangeInfo.exec(text)?.[1]
  if (part === undefined) return undefined
  try {
    return JSON.parse(part)
  } catch {
    return Info.parse(JSON.parse(text)).rateLimits
  }
}

const Info = z.object({ rateLimits: z.array(z.unknown()).optional() })

/** The limits in the text of exchangeInfo; undefined where it is not that. */
export function readLimitTable(text: string, venue: RecordedMarket): LimitTable | undefined {
  const source: Source = { venue, call: 'exchangeInfo.rateLimits' }
  const reported = rateLimitsIn(text)
  if (reported === undefined) return undefined
  const rows = readRows(reported, (row) => readFrom(source, RateLimit, row))
  const metersOf = (type: string, prefix: string): Meter[] =>
    rows
      .filter(({ rateLimitType }) => rateLimitType === type)
      .map(({ interval, intervalNum, limit }) => ({
        header: `${prefix}${intervalNum}${interval.charAt(0).toLowerCase()}`,
        windowMs: intervals[interval] * intervalNum,
        most: limit,
      }))
  return {
    weights: metersOf('REQUEST_WEIGHT', 'x-mbx-used-weight-'),
    orders: metersOf('ORDERS', 'x-mbx-order-count-'),
    isPerAccount: rows.some(({ per }) => per === 'ACCOUNT'),
  }
}

/** The market that an address or a path is of. */
export function marketAt(url: string): RecordedMarket {
  return url.includes('/fapi/') || url.includes('/ws-fapi/') ? 'binance-futures' : 'binance-spot'
}
