import type { VenueOrder } from '../../domain/order.ts'
import type { VenueEvent } from '../venue.ts'
import { isNews, type OrderNews } from './order-news.ts'

/** Waiting for what is told of one order. */
export interface Expectation {
  /** The first news that settles the order; never rejects, and pends for as long as there is none. */
  settled: Promise<OrderNews>
  /** The same within this time. */
  within: (ms: number) => Promise<OrderNews | undefined>
  /** The last that was told, settled or not. */
  latest: () => OrderNews | undefined
  stop: () => void
}

/** What the account's private stream tells of orders, for those who follow it and those who wait for one order. */
export interface OrderFeed {
  follow: (listener: (event: VenueEvent) => void) => () => void
  expect: (isMeant: (order: VenueOrder) => boolean, isSettled: (news: OrderNews) => boolean) => Expectation
  /** True while the stream is there to tell something. */
  isLive: () => boolean
  /** What the venue answered of an order: where the stream stays behind it, the stream is begun anew. */
  shouldHaveTold: (order: VenueOrder) => void
}

/** The receiving side of a feed: what a stream puts in. */
export interface OrderHub {
  follow: OrderFeed['follow']
  expect: OrderFeed['expect']
  /** Passes on what is new; events come twice, and overtake each other. */
  tell: (news: OrderNews) => void
  tellGap: () => void
  /** The last that was told of an order. */
  known: (venueOrderId: string) => VenueOrder | undefined
}

/** Orders whose last state is remembered; the oldest are forgotten first. */
const mostKnown = 2000

/** A hub that nobody listens to yet; it says when somebody begins, and when nobody is left. */
export function createOrderHub(onFirst: () => void, onNone: () => void, isLive: () => boolean): OrderHub {
  const listeners = new Set<(event: VenueEvent) => void>()
  const waiting = new Set<(news: OrderNews) => void>()
  const known = new Map<string, VenueOrder>()
  return {
    follow: (listener) => {
      listeners.add(listener)
      if (listeners.size === 1) onFirst()
      else if (isLive()) queueMicrotask(() => listeners.has(listener) && listener({ kind: 'gap' }))
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) onNone()
      }
    },
    expect: (isMeant, isSettled) => expectation(waiting, isMeant, isSettled),
    tell: (news) => {
      const { order } = news
      if (!isNews(order, known.get(order.venueOrderId))) return
      remember(known, order)
      for (const hear of [...waiting]) hear(news)
      for (const listener of [...listeners]) listener({ kind: 'order', order })
    },
    tellGap: () => {
      for (const listener of [...listeners]) listener({ kind: 'gap' })
    },
    known: (venueOrderId) => known.get(venueOrderId),
  }
}

function remember(known: Map<string, VenueOrder>, order: VenueOrder): void {
  known.delete(order.venueOrderId)
  known.set(order.venueOrderId, order)
  const [oldest] = known.keys()
  if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
}

function expectation(
  waiting: Set<(news: OrderNews) => void>,
  isMeant: (order: VenueOrder) => boolean,
  isSettled: (news: OrderNews) => boolean,
): Expectation {
  const { promise: settled, resolve } = Promise.withResolvers<OrderNews>()
  let latest: OrderNews | undefined
  const hear = (news: OrderNews): void => {
    if (!isMeant(news.order)) return
    latest = news
    if (isSettled(news)) resolve(news)
  }
  waiting.add(hear)
  return {
    settled,
    within: async (ms) => await within(settled, ms),
    latest: () => latest,
    stop: () => void waiting.delete(hear),
  }
}

async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const overdue = new Promise<undefined>((resolve) => {
    // Whoever hears of the order otherwise leaves this one running.
    timer = setTimeout(() => resolve(undefined), ms).unref()
  })
  const value = await Promise.race([promise, overdue])
  clearTimeout(timer)
  return value
}
