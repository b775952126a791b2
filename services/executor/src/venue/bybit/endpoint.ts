import { createLowest } from '@tripline/kit/time/lowest'
import { z } from 'zod'
import { createSharing, type Sharing } from '../account/shared.ts'
import type { AddressUsage, EndpointDialect, PricedEndpoint } from '../endpoint.ts'
import { RefusalError } from '../http/refusal.ts'
import { createRateLimiter, type RateLimiter, type RateLimiters } from '../limits/rate-limiter.ts'
import type { MarketPrices } from '../prices/market-prices.ts'
import { parseJson } from '../read/parse-json.ts'
import { Text, Whole } from '../read/read-fields.ts'

const banMs = 10 * 60_000
// The venue bans an address that sends more than 600 requests in 5 s; some of them are not ours to count.
const addressLimit = { most: 550, spanMs: 5000, reservedForUrgent: 100, withheldFromOrders: 40 } as const

// The venue lets an address open 500 sockets in five minutes; private streams need some of them.
const socketLimit = { most: 200, spanMs: 5 * 60_000, reservedForUrgent: 0 } as const

/** The requests of an address, as far as Bybit limits them. */
export interface BybitUsage extends AddressUsage {
  limiter: RateLimiter
  /** Limits how often a socket is opened. */
  socketLimiter: RateLimiter
  /** Limits the posts of each account in a category. */
  postLimiters: Sharing<RateLimiters>
  /** The end of the venue's ban of our address, by our monotonic clock. */
  bannedUntil: number
}

/** An address of Bybit. */
export type Endpoint = PricedEndpoint<BybitUsage, MarketPrices>

/** Bybit's clock and its bans. */
export const bybitDialect: EndpointDialect<BybitUsage> = {
  timePath: '/v5/market/time',
  readTime: (body) => Time.parse(parseJson(body)),
  createUsage: () => ({
    limiter: createRateLimiter(addressLimit),
    socketLimiter: createRateLimiter(socketLimit),
    postLimiters: createSharing(),
    accounts: createLowest(),
    bannedUntil: 0,
  }),
  heed: (usage, { statusCode }) => {
    if (statusCode === 403) ban(usage)
  },
  isBanned,
  refuseWhileBanned: (usage) => {
    if (!isBanned(usage)) return
    throw new RefusalError({ status: 403, code: 10018, text: 'too many requests came from our address' })
  },
  budgetLeft: ({ limiter }) => limiter.left(),
}

/** Notes that the venue refuses our address for a while. */
export function ban(usage: BybitUsage): void {
  usage.bannedUntil = performance.now() + banMs
}

function isBanned({ bannedUntil }: BybitUsage): boolean {
  return performance.now() < bannedUntil
}

// The finest time that the venue reports, or else the ms of the answer itself.
const Time = z.union([
  z
    .object({ result: z.object({ timeNano: Text.pipe(z.string().regex(/^\d{16,20}$/)) }) })
    .transform(({ result }) => Number(BigInt(result.timeNano) / 1_000_000n)),
  z.object({ time: Whole }).transform(({ time }) => time),
])
