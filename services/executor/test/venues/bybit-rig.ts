import type { ClientOrderId } from '@tripline/proto/id'
import { testLog } from '@tripline/testkit/log'
import type { PinnedPrices } from '@tripline/testkit/paper-control'
import { paperExchange, type TestPaper } from '@tripline/testkit/paper-exchange'
import { waitFor } from '@tripline/testkit/wait-for'
import type { OrderPlan, OrderRef, VenueOrder } from '../../src/domain/order/order.ts'
import { isConditional } from '../../src/domain/order/order.ts'
import { openBybitLinear } from '../../src/venue/bybit/linear.ts'
import { openBybitSpot } from '../../src/venue/bybit/spot.ts'
import type { StreamTiming } from '../../src/venue/bybit/stream/following.ts'
import { openConnections, type VenueConnections } from '../../src/venue/connections.ts'
import type { OpenedVenue, Venue, VenueEvent, VenueOptions } from '../../src/venue/venue.ts'
import { heldForEver } from '../held.ts'

/** An account of its own on a paper exchange, with a client for each of Bybit's markets. */
export interface BybitRig {
  paper: TestPaper
  connections: VenueConnections
  credentials: { apiKey: string; secret: string }
  options: VenueOptions
  linear: Venue
  spot: Venue
  /** A new account's clients, on the same exchange. */
  another: (balances?: Record<string, string>) => Promise<{ linear: Venue; spot: Venue; apiKey: string }>
  /** Another client, of the same account unless it is reported another one; all of them end with the rig. */
  open: (
    market: 'linear' | 'spot',
    differing: Partial<VenueOptions>,
    timing?: Partial<StreamTiming>,
  ) => Promise<Venue>
  /** Holds BTCUSDT at this price, with the spread of a dollar. */
  pin: (price: number) => Promise<void>
  stop: () => Promise<void>
}

/** For streams that are meant to be found out: they are looked after all the time, and given up soon. */
export const watchful: Partial<StreamTiming> = { checkMs: 250, graceMs: 150 }

const markets = { linear: openBybitLinear, spot: openBybitSpot }

/** Builds a rig; everything of it is its own. */
export async function buildBybitRig(settings: Record<string, string> = {}): Promise<BybitRig> {
  const paper = await paperExchange(settings)
  const connections = openConnections()
  const credentials = await paper.openAccount({ USDT: '100000', BTC: '1' })
  const options: VenueOptions = {
    baseUrl: `${paper.url}/bybit`,
    streamUrl: `${paper.url.replace('http', 'ws')}/bybit`,
    pricesUrl: `${paper.url.replace('http', 'ws')}/bybit`,
    credentials,
    connections,
    parent: undefined,
    tenure: heldForEver,
    log: testLog('executor'),
  }
  const stops: OpenedVenue['stop'][] = []
  const open: BybitRig['open'] = async (market, differing, timing) => {
    const { venue, stop } = await markets[market]({ ...options, ...differing }, timing)
    stops.push(stop)
    return venue
  }
  const openBoth = async (keys: BybitRig['credentials']) => {
    const [linear, spot] = await Promise.all([
      open('linear', { credentials: keys }),
      open('spot', { credentials: keys }),
    ])
    return { linear, spot, apiKey: keys.apiKey }
  }
  const pin = async (price: number): Promise<void> => {
    const prices: PinnedPrices = {
      bid: `${price - 0.5}`,
      ask: `${price + 0.5}`,
      last: `${price}`,
      mark: `${price}`,
    }
    await paper.pinPrices('BTCUSDT', { ...prices, index: `${price}` })
  }
  await pin(60_000)
  return {
    paper,
    connections,
    credentials,
    options,
    ...(await openBoth(credentials)),
    another: async (balances = { USDT: '100000', BTC: '1' }) =>
      await openBoth(await paper.openAccount(balances)),
    open,
    pin,
    stop: async () => {
      for (const stop of stops) stop?.()
      await connections.close()
      await paper.stop()
    },
  }
}

let planned = 0

/** A plan to buy 0.01 BTC at the market, with what differs. */
export function planOf(differing: Partial<OrderPlan> = {}): OrderPlan {
  planned++
  return {
    clientOrderId: `t${process.pid}-${planned}` as ClientOrderId,
    symbol: 'BTCUSDT',
    type: 'market',
    side: 'buy',
    quantity: '0.01',
    reduceOnly: false,
    positionSide: 'both',
    sizing: '',
    ...differing,
  }
}

/** Returns a planned order's reference. */
export function refOf(plan: OrderPlan): OrderRef {
  return { symbol: plan.symbol, clientOrderId: plan.clientOrderId, isConditional: isConditional(plan) }
}

/** Places an order that must be done, and returns it. */
export async function place(venue: Venue, plan: OrderPlan): Promise<VenueOrder> {
  const placement = await venue.place(plan, () => undefined)
  if (placement.outcome !== 'done') throw new Error(`not done: ${JSON.stringify(placement)}`)
  return placement.order
}

/** Looks up an order that must be there; reads show it a moment later. */
export async function find(venue: Venue, plan: OrderPlan): Promise<VenueOrder> {
  return await waitFor(async () => {
    const found = await venue.lookUp(refOf(plan))
    return found.outcome === 'found' && found.order
  })
}

/** The open orders of BTCUSDT. */
export async function openOrders(venue: Venue): Promise<readonly VenueOrder[]> {
  const open = await venue.openOrders('BTCUSDT')
  if (open.outcome !== 'read') throw new Error(`not read: ${JSON.stringify(open)}`)
  return open.orders
}

/** Follows a venue; what it reports is collected. */
export function follow(venue: Venue): { events: VenueEvent[]; stop: () => void } {
  const events: VenueEvent[] = []
  const stop = venue.follow?.((event) => events.push(event)) ?? (() => undefined)
  return { events, stop }
}

/** Settles once the stream reports that it begins, for this many times. */
export async function untilLive(events: readonly VenueEvent[], times = 1): Promise<void> {
  await waitFor(() => events.filter(({ kind }) => kind === 'gap').length >= times)
}
