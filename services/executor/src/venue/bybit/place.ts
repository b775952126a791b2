import {
  isConditional,
  isTerminal,
  type OrderPlan,
  type Placement,
  type VenueOrder,
} from '../../domain/order.ts'
import type { Venue } from '../venue.ts'
import { Acknowledgement } from './answers.ts'
import { leavesOpen, meaningOf } from './codes.ts'
import { createPath, type Desk } from './desk.ts'
import type { Expectation } from './order-feed.ts'
import type { OrderFields } from './order-fields.ts'
import type { OrderNews } from './order-news.ts'
import { causeOf, refusalIn } from './refusal.ts'
import { type OrderSources, settle } from './settle-order.ts'

/** What the placing of orders needs besides the desk and its sources. */
export interface PlaceOptions {
  fieldsOf: (order: OrderPlan) => OrderFields
  /** Asked where an order is signed: false withholds it. */
  mayPlace: () => boolean
}

/**
 * The placing of orders for one account. The venue's answer only says that the order was taken, so the placement is
 * done when the stream, or a look-up, tells what became of the order.
 */
export function createPlace(
  desk: Desk,
  sources: OrderSources,
  { fieldsOf, mayPlace }: PlaceOptions,
): Venue['place'] {
  return async (order, onSent, isPermitted = () => true) => {
    const isSettled = settlesAs(order)
    const expected = sources.feed.expect(
      ({ clientOrderId }) => clientOrderId === order.clientOrderId,
      isSettled,
    )
    try {
      await desk.enter(createPath, isExit(order, desk))
      if (!mayPlace() || !isPermitted()) return { outcome: 'withheld' }
      const posted = desk.post(createPath, fieldsOf(order), onSent).then(acknowledged)
      const first = await Promise.race([expected.settled, posted])
      if ('order' in first) return placementOf(first)
      const news = await settle(sources, refOf(order, first.taken), expected, isSettled)
      return news === undefined
        ? { outcome: 'done', order: takenOrder(order, first.taken) }
        : placementOf(news)
    } catch (error) {
      return failureOf(error, expected)
    } finally {
      expected.stop()
    }
  }
}

/** Whoever sells on spot holds less of what can lose its value. */
function isExit({ reduceOnly, side }: OrderPlan, { category }: Desk): boolean {
  return reduceOnly || (category === 'spot' && side === 'sell')
}

function acknowledged(result: unknown): { taken: Acknowledgement } {
  return { taken: Acknowledgement.parse(result) }
}

// An order that can rest is settled once the venue shows it; any other one when it has ended.
function settlesAs({ type, timeInForce }: OrderPlan): (news: OrderNews) => boolean {
  const isImmediate =
    type === 'market' || (type === 'limit' && (timeInForce === 'ioc' || timeInForce === 'fok'))
  return ({ order }) => !isImmediate || isTerminal(order)
}

function placementOf({ order, refusal }: OrderNews): Placement {
  return refusal === undefined ? { outcome: 'done', order } : { outcome: 'refused', ...refusal }
}

function failureOf(error: unknown, expected: Expectation): Placement {
  const refusal = refusalIn(error)
  if (refusal !== undefined && !leavesOpen(refusal)) return { outcome: 'refused', ...meaningOf(refusal) }
  const told = expected.latest()
  return told === undefined ? { outcome: 'unknown', cause: causeOf(error) } : placementOf(told)
}

function refOf(order: OrderPlan, { orderId }: Acknowledgement) {
  const { symbol, clientOrderId } = order
  return { symbol, clientOrderId, venueOrderId: orderId, isConditional: isConditional(order) }
}

/** An order that the venue took and has not shown yet. */
function takenOrder(order: OrderPlan, { orderId }: Acknowledgement): VenueOrder {
  const { clientOrderId, side, type, quantity, reduceOnly, price, triggerPrice } = order
  return {
    venueOrderId: orderId,
    clientOrderId,
    side,
    type,
    status: isConditional(order) ? 'untriggered' : 'open',
    quantity,
    filled: '0',
    averagePrice: null,
    price: price ?? null,
    triggerPrice: triggerPrice ?? null,
    isConditional: isConditional(order),
    reduceOnly,
    fee: null,
    updatedAt: null,
  }
}
