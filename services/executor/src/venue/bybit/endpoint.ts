import type { Dispatcher } from 'undici'
import { z } from 'zod'
import type { VenueConnections } from '../dispatcher.ts'
import { hasLeapt } from '../fence.ts'
import { createLowest, type Lowest } from '../lowest.ts'
import { parseJson } from '../parse-json.ts'
import { Text, Whole } from '../read-fields.ts'
import { noteEndpoint } from '../watched-endpoints.ts'
import { withDeadline } from '../with-deadline.ts'
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts'
import { RefusalError } from './refusal.ts'

const clockDeadlineMs = 3000
const clockAgeMs = 10 * 60_000
const banMs = 10 * 60_000
// The venue bans an address that sends more than 600 requests in 5 s; some of them are not ours to count.
const addressLimit = { most: 550, spanMs: 5000, keptForUrgent: 100, keptFromOrders: 40 } as const

// The venue lets an address open 500 sockets in five minutes; private streams need some of them.
const socketLimit = { most: 200, spanMs: 5 * 60_000, keptForUrgent: 0 } as const

/** What all clients of one address of the venue share: its clock, and how it treats the address we come from. */
export interface Endpoint {
  /** The venue's time in whole ms; measured anew in the background when the last measurement is old. */
  now: () => number
  /** By how many ms the venue's clock is ahead of ours, as it was last measured. */
  aheadMs: () => number
  /** Measures how far the venue's clock is from ours. */
  measureClock: () => Promise<void>
  /** When (monotonic) its clock was last found to differ from ours by quite another time than before. */
  leaptAt: () => number
  limiter: RateLimiter
  /** What its accounts had left of the orders they may send. */
  accounts: Lowest
  /** How often a socket may be opened. */
  socketLimiter: RateLimiter
  /** The venue refuses our address for a while. */
  ban: () => void
  isBanned: () => boolean
  /** Throws a `RefusalError` while the venue refuses us. */
  refuseWhileBanned: () => void
}

/** Until when the venue refuses our address, by our monotonic clock. */
interface Ban {
  until: number
}

/** An endpoint on its way, or open; a ban counts before it is. */
interface Place {
  ban: Ban
  endpoint: Promise<Endpoint> | undefined
}

const places = new WeakMap<VenueConnections, Map<string, Place>>()

/** The endpoint at an address, with its clock measured; throws where it cannot be reached. */
export async function endpointAt(connections: VenueConnections, baseUrl: string): Promise<Endpoint> {
  const known = places.get(connections) ?? new Map<string, Place>()
  places.set(connections, known)
  const place = known.get(baseUrl) ?? { ban: { until: 0 }, endpoint: undefined }
  known.set(baseUrl, place)
  const endpoint = place.endpoint ?? openWatched(connections, baseUrl, place.ban)
  place.endpoint = endpoint
  endpoint.catch(() => {
    place.endpoint = undefined
  })
  return await endpoint
}

async function openWatched(connections: VenueConnections, baseUrl: string, ban: Ban): Promise<Endpoint> {
  const endpoint = await openEndpoint(connections, baseUrl, ban)
  const { aheadMs, isBanned, limiter, accounts } = endpoint
  const budgets = { budgetLeft: limiter.left, accountBudgetLeft: accounts.read }
  const { host, origin } = new URL(baseUrl)
  noteEndpoint(connections, { name: host, origin, aheadMs, isBanned, ...budgets })
  return endpoint
}

async function openEndpoint({ dispatcher }: VenueConnections, baseUrl: string, ban: Ban): Promise<Endpoint> {
  const url = new URL(`${baseUrl}/v5/market/time`)
  let aheadMs = 0
  let measuredAt = 0
  let isMeasured = false
  let leaptAt = Number.NEGATIVE_INFINITY
  const measureClock = async (): Promise<void> => {
    measuredAt = performance.now()
    refuseWhileBanned(ban)
    const before = aheadMs
    for await (const better of measurements(dispatcher, url, ban)) {
      if (isMeasured && hasLeapt(before, better)) leaptAt = performance.now()
      aheadMs = better
    }
    isMeasured = true
  }
  await measureClock()
  return {
    now: () => {
      // A measurement that fails leaves the last one in force; the next one is due as if it had not failed.
      if (performance.now() - measuredAt > clockAgeMs) measureClock().catch(() => undefined)
      return Math.round(Date.now() + aheadMs)
    },
    aheadMs: () => aheadMs,
    measureClock,
    leaptAt: () => leaptAt,
    limiter: createRateLimiter(addressLimit),
    accounts: createLowest(),
    socketLimiter: createRateLimiter(socketLimit),
    ban: () => begin(ban),
    isBanned: () => isOn(ban),
    refuseWhileBanned: () => refuseWhileBanned(ban),
  }
}

function begin(ban: Ban): void {
  ban.until = performance.now() + banMs
}

function isOn({ until }: Ban): boolean {
  return performance.now() < until
}

function refuseWhileBanned(ban: Ban): void {
  if (!isOn(ban)) return
  throw new RefusalError({ status: 403, code: 10018, text: 'too many requests came from our address' })
}

// The finest time that the venue reports, or else the ms of the answer itself.
const Time = z.union([
  z
    .object({ result: z.object({ timeNano: Text.pipe(z.string().regex(/^\d{16,20}$/)) }) })
    .transform(({ result }) => Number(BigInt(result.timeNano) / 1_000_000n)),
  z.object({ time: Whole }).transform(({ time }) => time),
])

interface Measurement {
  aheadMs: number
  tookMs: number
}

/** By how many ms the venue is ahead, by one measurement, and then by those that are quicker: the first may have waited. */
async function* measurements(dispatcher: Dispatcher, url: URL, ban: Ban): AsyncGenerator<number> {
  let quickestMs = Number.POSITIVE_INFINITY
  for (let count = 0; count < 3; count++) {
    const { aheadMs, tookMs } = await measureOnce(dispatcher, url, ban)
    if (tookMs < quickestMs) yield aheadMs
    quickestMs = Math.min(quickestMs, tookMs)
  }
}

async function measureOnce(
  dispatcher: Dispatcher,
  { origin, pathname }: URL,
  ban: Ban,
): Promise<Measurement> {
  const limits = { headersTimeout: clockDeadlineMs, bodyTimeout: clockDeadlineMs }
  const asked = Date.now()
  const asking = dispatcher.request({ origin, path: pathname, method: 'GET', ...limits })
  const { statusCode, body } = await withDeadline(asking, clockDeadlineMs)
  if (statusCode === 403) begin(ban)
  const venueMs = Time.parse(parseJson(await withDeadline(body.text(), clockDeadlineMs)))
  const answered = Date.now()
  return { aheadMs: venueMs - (asked + answered) / 2, tookMs: answered - asked }
}
