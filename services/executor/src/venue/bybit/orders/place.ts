import {
  isConditional,
  isImmediate,
  isTerminal,
  type OrderPlan,
  type Placement,
  restingOrder,
} from '../../../domain/order/order.ts'
import type { Expectation } from '../../account/expectation.ts'
import { placeFailure } from '../../http/refusal.ts'
import { readFrom } from '../../read/read-fields.ts'
import type { Venue } from '../../venue.ts'
import { Acknowledgement, sourceOf } from '../answers.ts'
import { bybitCodes } from '../codes.ts'
import { createPath, type RestClient } from '../rest-client.ts'
import type { OrderUpdate } from '../stream/order-update.ts'
import { awaitEnd, type OrderSources } from './ended-order.ts'
import type { OrderFields } from './order-fields.ts'

/**
 * The placing of orders for one account. The venue's answer only says that the order was taken, so the placement is
 * done when the stream, or a look-up, reports its outcome.
 */
export function createPlace(
  restClient: RestClient,
  sources: OrderSources,
  fieldsOf: (order: OrderPlan) => OrderFields,
): Venue['place'] {
  return async (order, onSent, permit) => {
    const isSettled = settlesAs(order)
    const expected = sources.feed.expect(
      ({ clientOrderId }) => clientOrderId === order.clientOrderId,
      isSettled,
    )
    try {
      const urgency = isExit(order, restClient) ? 'exit' : 'entry'
      const request = { method: 'POST', path: createPath, fields: fieldsOf(order), urgency } as const
      const posted = restClient.send({ ...request, permit, onSent }).then(acknowledgedBy(restClient))
      const first = await Promise.race([expected.settled, posted])
      if ('order' in first) return byStream(placementOf(first))
      const update = await awaitEnd(sources, refOf(order, first.taken), expected, isSettled)
      return update === undefined
        ? { outcome: 'done', order: { ...restingOrder(order), venueOrderId: first.taken.orderId } }
        : placementOf(update)
    } catch (error) {
      return failureOf(error, expected)
    } finally {
      expected.stop()
    }
  }
}

/** A seller on spot holds less of what can lose its value. */
function isExit({ reduceOnly, side }: OrderPlan, { category }: RestClient): boolean {
  return reduceOnly || (category === 'spot' && side === 'sell')
}

function acknowledgedBy({ category }: RestClient): (result: unknown) => { taken: Acknowledgement } {
  return (result) => ({ taken: readFrom(sourceOf(category, 'order.create'), Acknowledgement, result) })
}

// An order that can rest is settled once the venue shows it; any other one when it has ended.
function settlesAs(plan: OrderPlan): (update: OrderUpdate) => boolean {
  return ({ order }) => !isImmediate(plan) || isTerminal(order)
}

function byStream(placement: Placement): Placement {
  return placement.outcome === 'done' ? { ...placement, source: 'stream' } : placement
}

function placementOf({ order, refusal }: OrderUpdate): Placement {
  return refusal === undefined ? { outcome: 'done', order } : { outcome: 'refused', ...refusal }
}

function failureOf(error: unknown, expected: Expectation<OrderUpdate>): Placement {
  const failure = placeFailure(error, bybitCodes)
  const update = failure.outcome === 'unknown' ? expected.latest() : undefined
  return update === undefined ? failure : byStream(placementOf(update))
}

function refOf(order: OrderPlan, { orderId }: Acknowledgement) {
  const { symbol, clientOrderId } = order
  const named = orderId === '' ? {} : { venueOrderId: orderId }
  return { symbol, clientOrderId, ...named, isConditional: isConditional(order) }
}
