import { setTimeout as sleep } from 'node:timers/promises'
import { isZero, subtract } from '@tripline/proto/decimal'
import { z } from 'zod'
import { type OrderPlan, type Placement, restingOrder, type VenueOrder } from '../../../domain/order/order.ts'
import type { Expectation, Expectations } from '../../account/expectation.ts'
import type { ChangeRequest, RestClient } from '../../http/rest-client.ts'
import type { Venue } from '../../venue.ts'
import type { OrderListUpdate, OrderUpdate } from '../stream/order-update.ts'
import { answeredWithinMs, answerOrUpdate } from './answer-or-update.ts'
import { isPlanned, isUnknown, type OrderEntry, once, settled } from './place.ts'
import { OrderList } from './spot-answers.ts'
import { ocoFields } from './spot-fields.ts'

type Pair = readonly [OrderPlan, OrderPlan]
type Placements = readonly [Placement, Placement]

/** Places a pair of orders at spot. */
export interface PairEntry extends OrderEntry {
  /** Waits for the private stream's word that the venue has taken a list. */
  expectList: Expectations<OrderListUpdate>['expect']
}

/** The placing of pairs of which the venue ends one order with the other. */
export function createPlaceOco(entry: PairEntry, restClient: RestClient): NonNullable<Venue['placeOco']> {
  return async (pair, onSent, permit) => {
    const [one, other] = pair
    const differs = one.side !== other.side || !isZero(subtract(one.quantity, other.quantity))
    if (differs) return both({ outcome: 'refused', code: 'E404', error: unlike })
    const expected = expectPair(entry, pair)
    const answer = settled(entry, async () => await send(entry, restClient, { pair, permit, onSent }))
    const answered = answer.then((value) => ('outcome' in value ? both(ofEither(value)) : value))
    const { isLive } = entry
    try {
      return await answerOrUpdate({ answered, updated: expected.settled, isLost: isAnyUnknown, isLive })
    } finally {
      expected.stop()
    }
  }
}

/** Returns a failure for each order of the pair: that one of them is there says nothing of the other. */
function ofEither(failure: Placement): Placement {
  return failure.outcome === 'unknown' ? { outcome: 'unknown', cause: failure.cause } : failure
}

const isAnyUnknown = (placements: Placements): boolean => placements.some(isUnknown)

const unlike = 'the exchange takes a pair of orders only with one side and one quantity'

interface ExpectedPair {
  settled: Promise<Placements>
  stop: () => void
}

/**
 * Waits for a pair: for the list that names both of its orders, and for what is reported on each of them. Like any order that
 * can rest, it is believed once its answer is late, which shows what it met at once.
 */
function expectPair({ expectList, expectOrder }: PairEntry, pair: Pair): ExpectedPair {
  const list = expectList(
    ({ orders }) => pair.every((plan) => orders.some(isNamedBy(plan))),
    () => true,
  )
  const expectLeg = (plan: OrderPlan): Expectation<OrderUpdate> =>
    expectOrder(
      (update) => isPlanned(update, plan),
      () => true,
    )
  const legs = [expectLeg(pair[0]), expectLeg(pair[1])] as const
  return {
    settled: outcomeByUpdate(list, legs),
    stop: () => [list, ...legs].forEach(({ stop }) => void stop()),
  }
}

async function outcomeByUpdate(
  list: Expectation<OrderListUpdate>,
  [one, other]: readonly [Expectation<OrderUpdate>, Expectation<OrderUpdate>],
): Promise<Placements> {
  const late = sleep(answeredWithinMs, undefined, { ref: false })
  const [ofOne, ofOther] = await Promise.all([one.settled, other.settled, list.settled, late])
  return [placed(one.latest() ?? ofOne), placed(other.latest() ?? ofOther)]
}

function placed({ order }: OrderUpdate): Placement {
  return { outcome: 'done', order, source: 'stream' }
}

function isNamedBy(plan: OrderPlan): (order: { clientOrderId: string }) => boolean {
  return ({ clientOrderId }) => clientOrderId === plan.clientOrderId
}

interface PairRequest extends Pick<ChangeRequest, 'permit'> {
  pair: Pair
  onSent: () => void
}

async function send(
  { readOrder, onPlaced, urgencyOf }: OrderEntry,
  restClient: RestClient,
  { pair, permit, onSent }: PairRequest,
): Promise<Placements> {
  const answer = await restClient.send({
    method: 'POST',
    path: '/api/v3/orderList/oco',
    fields: ocoFields(pair),
    // A pair of sales protects what is held; a pair of purchases is an entry.
    urgency: urgencyOf(pair[0]),
    permit,
    onSent: once(onSent),
  })
  const { orderReports, orders } = OrderList.parse(answer)
  const placementOf = (plan: OrderPlan): Placement => {
    const order =
      reportIn(orderReports, plan, readOrder) ??
      // The list has taken the order where it names it, also without a report.
      orders
        .filter(isNamedBy(plan))
        .map(({ orderId }) => ({ ...restingOrder(plan), venueOrderId: orderId }))[0]
    if (order === undefined)
      return { outcome: 'unknown', cause: 'the exchange does not show this order of the pair' }
    onPlaced(plan.symbol, order)
    return { outcome: 'done', order }
  }
  return [placementOf(pair[0]), placementOf(pair[1])]
}

function reportIn(
  reports: readonly unknown[],
  plan: OrderPlan,
  readOrder: OrderEntry['readOrder'],
): VenueOrder | undefined {
  const named = reports.find((report) => Named.safeParse(report).data?.clientOrderId === plan.clientOrderId)
  return named === undefined ? undefined : readOrder(named, plan)
}

const Named = z.object({ clientOrderId: z.string() })

function both(placement: Placement): Placements {
  return [placement, placement]
}
