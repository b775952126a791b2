import type { ClientOrderId, UserId } from '@tripline/proto/id'
import { testLog } from '@tripline/testkit/log'
import type { TestPaper } from '@tripline/testkit/paper-exchange'
import { waitFor } from '@tripline/testkit/wait-for'
import type { OrderPlan, OrderRef, Placement, VenueOrder } from '../../src/domain/order/order.ts'
import { isConditional } from '../../src/domain/order/order.ts'
import type { Tenure } from '../../src/domain/sharing/lease.ts'
import { openBinanceFutures } from '../../src/venue/binance/futures.ts'
import { openBinanceSpot } from '../../src/venue/binance/spot.ts'
import { endpointsOf } from '../../src/venue/endpoint.ts'
import type { StreamTiming, Venue, VenueEvent, VenueOptions } from '../../src/venue/venue.ts'
import { type CountedConnections, countedConnections } from '../counted-connections.ts'
import { heldForEver } from '../held.ts'

/** A client of a new account at the paper exchange's Binance. */
export interface Trader {
  venue: Venue
  apiKey: string
  /** Places what is given on top of a plain order; fails where that is not done. */
  placed: (differing: Partial<OrderPlan>) => Promise<VenueOrder>
  place: (differing: Partial<OrderPlan>) => Promise<Placement>
  /** Follows its stream from now on; settles once the stream is live. */
  follow: () => Promise<Received>
  withhold: () => void
  /** The paths of all requests that went over its connections so far. */
  asked: () => readonly string[]
  /** Another client of the same account, on connections of its own or on these. */
  another: (on: 'own' | 'same') => Promise<Trader>
  /** Settles once the next order would go over the socket for orders. */
  untilOrderSocket: () => Promise<unknown>
  close: () => Promise<void>
}

/** A stream's reports, with waits for one of them. */
export interface Received {
  events: readonly VenueEvent[]
  order: (check: (order: VenueOrder) => boolean) => Promise<VenueOrder>
  gaps: (count: number) => Promise<unknown>
  stop: () => void
}

const symbol = 'BTCUSDT'
const kinds = {
  futures: { open: openBinanceFutures, base: '/binance-futures', quantity: '0.010' },
  spot: { open: openBinanceSpot, base: '/binance', quantity: '0.01000' },
} as const

let opened = 0

/** A name that no other order has. */
export function newId(): ClientOrderId {
  opened++
  return `t01ARZ3NDEKTSV4RRFFQ69${`${opened}`.padStart(10, '0')}` as ClientOrderId
}

/** Returns a placed order's reference. */
export function refOf(order: Pick<OrderPlan, 'clientOrderId' | 'type'>): OrderRef {
  return { symbol, clientOrderId: order.clientOrderId, isConditional: isConditional(order) }
}

/** Differences from the usual client, of a new account. */
export interface TraderSettings {
  balances?: Record<string, string>
  timing?: Partial<StreamTiming>
  ordersUrl?: string
  credentials?: { apiKey: string; secret: string }
  connections?: CountedConnections
  userId?: UserId
  /** Whether there is room at its address for the streams of accounts in use; else only who follows one has it. */
  hasRoom?: boolean
}

/** Opens a client; several may be of one account. */
export async function openTrader(
  paper: TestPaper,
  kind: keyof typeof kinds,
  more: TraderSettings = {},
): Promise<Trader> {
  const { open, base, quantity } = kinds[kind]
  const credentials =
    more.credentials ?? (await paper.openAccount(more.balances ?? { USDT: '100000', BTC: '1' }))
  const connections = more.connections ?? countedConnections()
  const streamUrl = paper.url.replace('http', 'ws') + base
  let tenure: () => Tenure | undefined = heldForEver
  const options: VenueOptions = {
    baseUrl: paper.url + base,
    streamUrl,
    pricesUrl: paper.url.replace('http', 'ws') + base,
    credentials,
    connections,
    parent: undefined,
    tenure: () => tenure(),
    log: testLog('venue'),
    userId: more.userId,
    ...(more.timing && { timing: more.timing }),
    ordersUrl: more.ordersUrl,
  }
  const { client: parent } = await open(options)
  for (const { slots } of endpointsOf(connections)) if (!more.hasRoom) while (slots.acquire());
  const { venue, stop } = await open({ ...options, parent })
  const stops = stop === undefined ? [] : [stop]
  const others: Trader[] = []
  const place: Trader['place'] = async (differing) =>
    await venue.place(planOf({ quantity, ...differing }), () => undefined)
  return {
    venue,
    apiKey: credentials.apiKey,
    asked: () => connections.asked,
    another: async (on) => {
      const other = await openTrader(paper, kind, {
        ...{ credentials, hasRoom: more.hasRoom ?? false },
        ...(on === 'same' && { connections }),
      })
      others.push(other)
      return other
    },
    place,
    placed: async (differing) => {
      const placement = await place(differing)
      if (placement.outcome !== 'done') throw new Error(JSON.stringify(placement))
      return placement.order
    },
    follow: async () => {
      const received = followed(venue)
      stops.push(received.stop)
      await received.gaps(1)
      return received
    },
    withhold: () => {
      tenure = () => undefined
    },
    untilOrderSocket: async () => await waitFor(connections.orderSockets.areGood, { deadlineMs: 30_000 }),
    close: async () => {
      for (const other of others) await other.close()
      for (const stop of stops) stop()
      await connections.close()
    },
  }
}

/** A plain market order with what differs from it. */
export function planOf(differing: Partial<OrderPlan>): OrderPlan {
  return {
    clientOrderId: newId(),
    symbol,
    side: 'buy',
    type: 'market',
    quantity: '0.010',
    reduceOnly: false,
    positionSide: 'both',
    sizing: 'a test',
    ...differing,
  }
}

function followed({ follow }: Venue): Received {
  if (follow === undefined) throw new Error('a venue without a stream')
  const events: VenueEvent[] = []
  const stop = follow((event) => void events.push(event))
  const orders = () => events.flatMap((event) => (event.kind === 'order' ? [event.order] : []))
  return {
    events,
    stop,
    order: async (check) => await waitFor(() => orders().find(check)),
    gaps: async (count) => await waitFor(() => events.filter(({ kind }) => kind === 'gap').length >= count),
  }
}
