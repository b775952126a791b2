import { isZero, subtract } from '@tripline/proto/decimal'
import { z } from 'zod'
import { type OrderPlan, type Placement, restingOrder, type VenueOrder } from '../../domain/order.ts'
import type { Venue } from '../venue.ts'
import type { Errand } from './desk.ts'
import { type OrderEntry, once, type Placer, settled } from './place.ts'
import { OrderList } from './spot-answers.ts'
import { ocoFields } from './spot-fields.ts'

type Pair = readonly [OrderPlan, OrderPlan]
type Placements = readonly [Placement, Placement]

/** The placing of pairs of which the venue ends one order with the other. */
export function createPlaceOco(entry: OrderEntry, placer: Placer): NonNullable<Venue['placeOco']> {
  return async (pair, onSent, permit) => {
    const [one, other] = pair
    const differs = one.side !== other.side || !isZero(subtract(one.quantity, other.quantity))
    if (differs) return both({ outcome: 'refused', code: 'E404', error: unlike })
    // A pair of sales protects what is held; a pair of purchases is an entry.
    const placed = await settled(
      entry,
      placer,
      entry.urgencyOf(one),
      async () => await send(entry, placer, { pair, permit, onSent }),
    )
    return 'outcome' in placed ? both(placed) : placed
  }
}

const unlike = 'the exchange takes a pair of orders only with one side and one quantity'

interface PairRequest extends Pick<Errand, 'permit'> {
  pair: Pair
  onSent: () => void
}

async function send(
  { readOrder, onPlaced }: OrderEntry,
  { desk }: Placer,
  { pair, permit, onSent }: PairRequest,
): Promise<Placements> {
  const answer = await desk.send({
    method: 'POST',
    path: '/api/v3/orderList/oco',
    fields: ocoFields(pair),
    permit,
    onSent: once(onSent),
  })
  const { orderReports, orders } = OrderList.parse(answer)
  const placementOf = (plan: OrderPlan): Placement => {
    const order =
      reportIn(orderReports, plan, readOrder) ??
      // The list has taken the order where it names it, also without a report.
      orders
        .filter(({ clientOrderId }) => clientOrderId === plan.clientOrderId)
        .map(({ orderId }) => ({ ...restingOrder(plan), venueOrderId: orderId }))[0]
    if (order === undefined)
      return { outcome: 'unknown', cause: 'the exchange does not show this order of the pair' }
    onPlaced(order)
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
