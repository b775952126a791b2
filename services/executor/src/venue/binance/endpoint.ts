import type { Dispatcher } from 'undici'
import { z } from 'zod'
import type { VenueConnections } from '../dispatcher.ts'
import { hasLeapt } from '../fence.ts'
import { Whole } from '../read-fields.ts'
import { noteEndpoint } from '../watched-endpoints.ts'
import { withDeadline } from '../with-deadline.ts'
import {
  type AddressUsage,
  budgetLeft,
  createAddressUsage,
  heedAddress,
  isBanned,
  refuseWhileBanned,
} from './limits.ts'

const clockDeadlineMs = 3000
const clockAgeMs = 10 * 60_000

/** What all clients of one address of the venue share: its clock, and what it counted of ours. */
export interface Endpoint {
  /** The venue's time in whole ms; measured anew in the background when the last measurement is old. */
  now: () => number
  /** By how many ms the venue's clock is ahead of ours, as it was last measured. */
  aheadMs: () => number
  /** Measures how far the venue's clock is from ours; the last measurement stays where that fails. */
  measureClock: () => Promise<void>
  /** When (monotonic) its clock was last found to differ from ours by quite another time than before. */
  leaptAt: () => number
  usage: AddressUsage
}

/** An endpoint on its way, or open; what the venue said of our address counts before it is. */
interface Place {
  usage: AddressUsage
  endpoint: Promise<Endpoint> | undefined
}

const places = new WeakMap<VenueConnections, Map<string, Place>>()

/** The endpoint at an address, with its clock measured; throws where it cannot be reached. */
export async function endpointAt(connections: VenueConnections, timeUrl: string): Promise<Endpoint> {
  const known = places.get(connections) ?? new Map<string, Place>()
  places.set(connections, known)
  const place = known.get(timeUrl) ?? { usage: createAddressUsage(), endpoint: undefined }
  known.set(timeUrl, place)
  const endpoint = place.endpoint ?? openWatched(connections, new URL(timeUrl), place.usage)
  place.endpoint = endpoint
  endpoint.catch(() => {
    place.endpoint = undefined
  })
  return await endpoint
}

async function openWatched(
  connections: VenueConnections,
  timeUrl: URL,
  usage: AddressUsage,
): Promise<Endpoint> {
  const endpoint = await openEndpoint(connections.dispatcher, timeUrl, usage)
  noteEndpoint(connections, {
    name: `${timeUrl.host}${timeUrl.pathname.replace(/\/v\d\/time$/, '')}`,
    origin: timeUrl.origin,
    aheadMs: endpoint.aheadMs,
    isBanned: () => isBanned(endpoint.usage),
    budgetLeft: () => budgetLeft(endpoint.usage, endpoint.now()),
    accountBudgetLeft: endpoint.usage.accounts.read,
  })
  return endpoint
}

async function openEndpoint(dispatcher: Dispatcher, timeUrl: URL, usage: AddressUsage): Promise<Endpoint> {
  let aheadMs = await measureWell(dispatcher, timeUrl, usage)
  let measuredAt = performance.now()
  let leaptAt = Number.NEGATIVE_INFINITY
  const measureClock = async (): Promise<void> => {
    measuredAt = performance.now()
    try {
      const measured = await measureWell(dispatcher, timeUrl, usage)
      if (hasLeapt(aheadMs, measured)) leaptAt = performance.now()
      aheadMs = measured
    } catch {
      // The venue refuses what is signed for a wrong moment: an old measurement harms nothing.
    }
  }
  return {
    now: () => {
      if (performance.now() - measuredAt > clockAgeMs) void measureClock()
      return Math.round(Date.now() + aheadMs)
    },
    aheadMs: () => aheadMs,
    measureClock,
    leaptAt: () => leaptAt,
    usage,
  }
}

/** The quickest of a few measurements: the others waited somewhere, on one way more than on the other. */
async function measureWell(dispatcher: Dispatcher, timeUrl: URL, usage: AddressUsage): Promise<number> {
  let best = await measureOnce(dispatcher, timeUrl, usage)
  for (let more = 0; more < 2; more++) {
    const next = await measureOnce(dispatcher, timeUrl, usage)
    if (next.tookMs < best.tookMs) best = next
  }
  return best.aheadMs
}

interface Measurement {
  aheadMs: number
  tookMs: number
}

const Time = z.object({ serverTime: Whole })

async function measureOnce(
  dispatcher: Dispatcher,
  { origin, pathname }: URL,
  usage: AddressUsage,
): Promise<Measurement> {
  refuseWhileBanned(usage)
  const limits = { headersTimeout: clockDeadlineMs, bodyTimeout: clockDeadlineMs }
  const asked = Date.now()
  const asking = dispatcher.request({ origin, path: pathname, method: 'GET', ...limits })
  const { statusCode, headers, body } = await withDeadline(asking, clockDeadlineMs)
  heedAddress(usage, { status: statusCode, headers })
  const { serverTime } = Time.parse(await withDeadline(body.json(), clockDeadlineMs))
  const answered = Date.now()
  return { aheadMs: serverTime - (asked + answered) / 2, tookMs: answered - asked }
}
