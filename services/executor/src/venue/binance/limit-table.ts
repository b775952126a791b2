import { z } from 'zod'

/** Something the venue counts within a window of time, and how much of it is allowed. */
export interface Meter {
  /** The header of answers by which it tells the count. */
  header: string
  windowMs: number
  most: number
}

/** What a market of the venue counts: request weight of an address, and orders of an account. */
export interface LimitTable {
  weights: readonly Meter[]
  orders: readonly Meter[]
}

/** The table of a venue that has not told its limits, or has none. */
export const noLimits: LimitTable = { weights: [], orders: [] }

const intervals = { SECOND: 1000, MINUTE: 60_000, HOUR: 3_600_000, DAY: 86_400_000 } as const

const RateLimits = z.array(
  z.object({
    rateLimitType: z.string(),
    interval: z.enum(Object.keys(intervals) as (keyof typeof intervals)[]),
    intervalNum: z.number(),
    limit: z.number(),
  }),
)

const inExchangeInfo = /"rateLimits":\s*(\[[^\]]*\])/

/** The limits in the text of exchangeInfo; undefined where it is not that. */
export function readLimitTable(text: string): LimitTable | undefined {
  const match = inExchangeInfo.exec(text)
  const read = match?.[1] === undefined ? undefined : RateLimits.safeParse(JSON.parse(match[1]))
  if (!read?.success) return undefined
  const metersOf = (type: string, prefix: string): Meter[] =>
    read.data
      .filter(({ rateLimitType }) => rateLimitType === type)
      .map(({ interval, intervalNum, limit }) => ({
        header: `${prefix}${intervalNum}${interval.charAt(0).toLowerCase()}`,
        windowMs: intervals[interval] * intervalNum,
        most: limit,
      }))
  return {
    weights: metersOf('REQUEST_WEIGHT', 'x-mbx-used-weight-'),
    orders: metersOf('ORDERS', 'x-mbx-order-count-'),
  }
}
