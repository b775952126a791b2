import type { OrderRef, VenueOrder } from '../../../domain/order/order.ts'
import type { Expectation } from '../../account/expectation.ts'
import type { PrivateStream } from '../../stream/private-stream.ts'
import { isUpdate, type OrderUpdate } from './order-update.ts'

/** Waiting for one order, by a stream that may have begun to report only later. */
export interface OrderExpectation extends Expectation<OrderUpdate> {
  /** The stream was there as the waiting began: it reports all that the order becomes. */
  wasLive: boolean
}

/** The private stream's reports on orders, for those who follow it and those who wait for one order. */
export interface OrderFeed extends Pick<PrivateStream<OrderUpdate>, 'follow' | 'isLive'> {
  expect: (
    isMeant: (order: VenueOrder) => boolean,
    isSettled: (update: OrderUpdate) => boolean,
  ) => OrderExpectation
  /**
   * Reports the venue's answer on an order that the stream was there for: a stream that stays behind it is begun anew.
   */
  reportMissedUpdate: (order: VenueOrder) => void
}

/** The orders that a stream has reported so far, each in its present state. */
export interface ReportedOrders {
  /** Takes in a report; undefined where that says nothing new: events come twice, and overtake each other. */
  receive: (update: OrderUpdate) => OrderUpdate | undefined
  /** Something may have happened that is not reported. */
  missSome: () => void
  /** The last that was reported on an order. */
  known: (venueOrderId: string) => VenueOrder | undefined
  /** The last that was reported on the order that is named. */
  find: (ref: OrderRef) => VenueOrder | undefined
  /** The same of what was reported since the last gap. */
  findNow: (ref: OrderRef) => VenueOrder | undefined
}

/** Orders whose last state is remembered; the oldest are forgotten first. */
const mostKnown = 2000

/** A stream that has reported nothing. */
export function createReportedOrders(): ReportedOrders {
  const known = new Map<string, VenueOrder>()
  let ofNow = new WeakSet<VenueOrder>()
  return {
    receive: (update) => {
      const { order } = update
      if (!isUpdate(order, known.get(keyOf(order)))) return undefined
      remember(known, order)
      ofNow.add(order)
      return update
    },
    missSome: () => {
      ofNow = new WeakSet()
    },
    known: (venueOrderId) => known.get(venueOrderId),
    find: (ref) => [...known.values()].findLast((order) => isMeant(ref, order)),
    findNow: (ref) => [...known.values()].findLast((order) => ofNow.has(order) && isMeant(ref, order)),
  }
}

/** True for the order that is named. */
export function isMeant(ref: OrderRef, order: { clientOrderId: string; venueOrderId: string }): boolean {
  if (ref.clientOrderId !== '') return order.clientOrderId === ref.clientOrderId
  return order.venueOrderId === ref.venueOrderId
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
