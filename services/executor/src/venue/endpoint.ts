import type { Lowest } from '@tripline/kit/time/lowest'
import type { Dispatcher } from 'undici'
import { createSemaphore, type Semaphore } from './account/account-slots.ts'
import { createOrderUpdates, type OrderUpdates } from './account/order-updates.ts'
import { createSharing, type Share, type Sharing } from './account/shared.ts'
import { withDeadline } from './http/with-deadline.ts'
import { createQuoteBoards, type QuoteBoards } from './prices/quotes.ts'

const clockDeadlineMs = 3000
const clockAgeMs = 10 * 60_000
// A clock that is off by so much more than before was set, or its machine stood still.
const leapMs = 1000

/** A venue's clock, limits and bans, as its wire has them; `Usage` is its count of an address's requests. */
export interface EndpointDialect<Usage extends AddressUsage> {
  /** The path of the venue's time, behind the address. */
  timePath: string
  /** Returns the venue's time in ms since the epoch, by the body of its answer; throws where it cannot be read. */
  readTime: (body: string) => number
  createUsage: () => Usage
  /** Takes in how the venue answered. */
  heed: (usage: Usage, answer: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>) => void
  isBanned: (usage: Usage) => boolean
  /** Throws while the venue refuses our address. */
  refuseWhileBanned: (usage: Usage) => void
  /** The share of the allowed requests that is left at a moment of the venue's clock. */
  budgetLeft: (usage: Usage, now: number) => number
}

/** The requests of an address, as far as its venue limits them. */
export interface AddressUsage {
  /** The share of its allowed orders that the account with the least had left. */
  accounts: Lowest
}

/** One address of a venue, shared by all its clients. */
export interface Endpoint<Usage extends AddressUsage = AddressUsage> {
  /** Host and path, by which metrics name it. */
  name: string
  /** The origin that its requests go to. */
  origin: string
  /** The venue's time in whole ms; measured anew in the background when the last measurement is old. */
  now: () => number
  /** The ms by which the venue's clock is ahead of ours, as it was last measured. */
  aheadMs: () => number
  /** Measures how far the venue's clock is from ours; the last measurement stays where that fails. */
  measureClock: () => Promise<void>
  /** When (monotonic) its clock was last found to differ from ours by quite another time than before. */
  leaptAt: () => number
  usage: Usage
  isBanned: () => boolean
  refuseWhileBanned: () => void
  /** The share of the allowed requests that is left. */
  budgetLeft: () => number
  /** The accounts whose private streams are open while they are in use. */
  slots: Semaphore
  /** The last bids and asks of its markets, by the venue's name for a family of them. */
  quotes: QuoteBoards
  /** The updates of an account's orders, for all its clients; by API key. */
  orderUpdatesOf: (apiKey: string) => Share<OrderUpdates>
}

/** An endpoint whose clients share streams of prices, by their address. */
export interface PricedEndpoint<Usage extends AddressUsage, Prices extends { stop: () => void }>
  extends Endpoint<Usage> {
  prices: Sharing<Prices>
}

/** An address that is open, or on its way; the venue's bans and counts hold before it is open. */
interface Address<Opened extends Endpoint> {
  usage: Opened['usage']
  opening: Promise<Opened> | undefined
  opened: Opened | undefined
}

/** The addresses of all venues that are spoken to over some connections. */
export type Addresses = Map<string, Address<Endpoint>>

/** The way out of requests, and the addresses that they went to. */
interface Connections {
  dispatcher: Dispatcher
  addresses: Addresses
}

/** The endpoint at an address, with its clock measured; throws where it cannot be reached. */
export async function endpointAt<Usage extends AddressUsage, Prices extends { stop: () => void }>(
  { addresses, dispatcher }: Connections,
  baseUrl: string,
  dialect: EndpointDialect<Usage>,
): Promise<PricedEndpoint<Usage, Prices>> {
  const timeUrl = baseUrl + dialect.timePath
  // An address is spoken to in one dialect.
  const known = addresses.get(timeUrl) as Address<PricedEndpoint<Usage, Prices>> | undefined
  const address = known ?? { usage: dialect.createUsage(), opening: undefined, opened: undefined }
  addresses.set(timeUrl, address)
  address.opening ??= openEndpoint<Usage, Prices>(
    { dispatcher, dialect, usage: address.usage },
    new URL(timeUrl),
  )
  try {
    address.opened = await address.opening
    return address.opened
  } catch (error) {
    address.opening = undefined
    throw error
  }
}

/** The endpoints that are open over these connections. */
export function endpointsOf({ addresses }: Connections): readonly Endpoint[] {
  return [...addresses.values()].flatMap(({ opened }) => opened ?? [])
}

/** True while a venue at this origin refuses us. */
export function isBannedAt(connections: Connections, origin: string): boolean {
  return endpointsOf(connections).some((endpoint) => endpoint.origin === origin && endpoint.isBanned())
}

interface ClockSource<Usage extends AddressUsage> {
  dispatcher: Dispatcher
  dialect: EndpointDialect<Usage>
  usage: Usage
}

async function openEndpoint<Usage extends AddressUsage, Prices extends { stop: () => void }>(
  source: ClockSource<Usage>,
  timeUrl: URL,
): Promise<PricedEndpoint<Usage, Prices>> {
  const { dialect, usage } = source
  const clock = await openClock(source, timeUrl)
  const shareUpdates = createSharing<OrderUpdates>()
  return {
    ...clock,
    name: `${timeUrl.host}${timeUrl.pathname.replace(/(\/v\d)?(\/market)?\/time$/, '')}`,
    origin: timeUrl.origin,
    usage,
    isBanned: () => dialect.isBanned(usage),
    refuseWhileBanned: () => dialect.refuseWhileBanned(usage),
    budgetLeft: () => dialect.budgetLeft(usage, clock.now()),
    slots: createSemaphore(),
    quotes: createQuoteBoards(),
    orderUpdatesOf: (apiKey) => shareUpdates(apiKey, createOrderUpdates),
    prices: createSharing<Prices>(),
  }
}

type Clock = Pick<Endpoint, 'now' | 'aheadMs' | 'measureClock' | 'leaptAt'>

async function openClock<Usage extends AddressUsage>(
  source: ClockSource<Usage>,
  timeUrl: URL,
): Promise<Clock> {
  let aheadMs = 0
  let measuredAt = performance.now()
  let leaptAt = Number.NEGATIVE_INFINITY
  for await (const measured of measurements(source, timeUrl)) aheadMs = measured
  const measureClock = async (): Promise<void> => {
    measuredAt = performance.now()
    const before = aheadMs
    try {
      for await (const measured of measurements(source, timeUrl)) {
        if (Math.abs(measured - before) > leapMs) leaptAt = performance.now()
        aheadMs = measured
      }
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
  }
}

/** The ms by which the venue is ahead, by one measurement, and then by each quicker one: the first may have waited. */
async function* measurements<Usage extends AddressUsage>(
  source: ClockSource<Usage>,
  timeUrl: URL,
): AsyncGenerator<number> {
  let quickestMs = Number.POSITIVE_INFINITY
  for (let count = 0; count < 3; count++) {
    const { aheadMs, tookMs } = await measureOnce(source, timeUrl)
    if (tookMs < quickestMs) yield aheadMs
    quickestMs = Math.min(quickestMs, tookMs)
  }
}

async function measureOnce<Usage extends AddressUsage>(
  { dispatcher, dialect, usage }: ClockSource<Usage>,
  { origin, pathname }: URL,
): Promise<{ aheadMs: number; tookMs: number }> {
  dialect.refuseWhileBanned(usage)
  const limits = { headersTimeout: clockDeadlineMs, bodyTimeout: clockDeadlineMs }
  const asked = Date.now()
  const asking = dispatcher.request({ origin, path: pathname, method: 'GET', ...limits })
  const { statusCode, headers, body } = await withDeadline(asking, clockDeadlineMs)
  dialect.heed(usage, { statusCode, headers })
  const venueMs = dialect.readTime(await withDeadline(body.text(), clockDeadlineMs))
  const answered = Date.now()
  return { aheadMs: venueMs - (asked + answered) / 2, tookMs: answered - asked }
}
