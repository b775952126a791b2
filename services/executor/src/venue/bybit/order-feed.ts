import type { VenueOrder } from '../../domain/order/order.ts'
import { createExpectations, type Expectation } from '../account/expectation.ts'
import type { VenueEvent } from '../venue.ts'
import { isNews, type OrderNews } from './order-news.ts'

/** Waiting for one order, by a stream that may have begun to report only later. */
export interface OrderExpectation extends Expectation<OrderNews> {
  /** The stream was there as the waiting began: it reports all that the order becomes. */
  wasLive: boolean
}

/** The private stream's reports on orders, for those who follow it and those who wait for one order. */
export interface OrderFeed {
  follow: (listener: (event: VenueEvent) => void) => () => void
  expect: (
    isMeant: (order: VenueOrder) => boolean,
    isSettled: (news: OrderNews) => boolean,
  ) => OrderExpectation
  /** True while the stream is there to report something. */
  isLive: () => boolean
  /**
   * Reports the venue's answer on an order that the stream was there for: a stream that stays behind it is begun anew.
   */
  reportMissedUpdate: (order: VenueOrder) => void
}

/** The receiving side of a feed: what a stream puts in. */
export interface OrderHub {
  follow: OrderFeed['follow']
  expect: OrderFeed['expect']
  /** Passes on what is new; events come twice, and overtake each other. */
  publish: (news: OrderNews) => void
  publishGap: () => void
  /** The last that was reported on an order. */
  known: (venueOrderId: string) => VenueOrder | undefined
  /** The last order that was reported and is meant. */
  find: (isMeant: (order: VenueOrder) => boolean) => VenueOrder | undefined
  /** The same of what was reported since the last gap. */
  findNow: (isMeant: (order: VenueOrder) => boolean) => VenueOrder | undefined
}

/** Orders whose last state is remembered; the oldest are forgotten first. */
const mostKnown = 2000

/** A hub that nobody listens to yet; it says when somebody begins, and when nobody is left. */
export function createOrderHub(onFirst: () => void, onNone: () => void, isLive: () => boolean): OrderHub {
  const listeners = new Set<(event: VenueEvent) => void>()
  const expectations = createExpectations<OrderNews>()
  const known = new Map<string, VenueOrder>()
  let ofNow = new WeakSet<VenueOrder>()
  return {
    follow: (listener) => {
      listeners.add(listener)
      if (listeners.size === 1) onFirst()
      else if (isLive()) queueMicrotask(() => listeners.has(listener) && listener({ kind: 'gap' }))
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) onNone()
      }
    },
    expect: (isMeant, isSettled) => ({
      ...expectations.expect(({ order }) => isMeant(order), isSettled),
      wasLive: isLive(),
    }),
    publish: (news) => {
      const { order } = news
      if (!isNews(order, known.get(keyOf(order)))) return
      remember(known, order)
      ofNow.add(order)
      expectations.publish(news)
      for (const listener of [...listeners]) listener({ kind: 'order', order })
    },
    publishGap: () => {
      ofNow = new WeakSet()
      for (const listener of [...listeners]) listener({ kind: 'gap' })
    },
    known: (venueOrderId) => known.get(venueOrderId),
    find: (isMeant) => [...known.values()].findLast(isMeant),
    findNow: (isMeant) => [...known.values()].findLast((order) => ofNow.has(order) && isMeant(order)),
  }
}

// The venue's id, or ours where that was not reported.
function keyOf({ venueOrderId, clientOrderId }: VenueOrder): string {
  return venueOrderId === '' ? clientOrderId : venueOrderId
}

function remember(known: Map<string, VenueOrder>, order: VenueOrder): void {
  known.delete(keyOf(order))
  known.set(keyOf(order), order)
  const [oldest] = known.keys()
  if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
}
