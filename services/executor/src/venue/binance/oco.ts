import { isZero, subtract } from '@tripline/proto/decimal'
import type { OrderPlan, Placement } from '../../domain/order.ts'
import type { Venue } from '../venue.ts'
import { type OrderEntry, once, type Placer, permitOf, settled } from './place.ts'
import { OrderList } from './spot-answers.ts'
import { ocoFields } from './spot-fields.ts'

type Pair = readonly [OrderPlan, OrderPlan]
type Placements = readonly [Placement, Placement]

/** The placing of pairs of which the venue ends one order with the other. */
export function createPlaceOco(entry: OrderEntry, placer: Placer): NonNullable<Venue['placeOco']> {
  return async (pair, onSent, isPermitted) => {
    const [one, other] = pair
    const differs = one.side !== other.side || !isZero(subtract(one.quantity, other.quantity))
    if (differs) return both({ outcome: 'refused', code: 'E404', error: unlike })
    // A pair of sales protects what is held; a pair of purchases is an entry.
    const placed = await settled(
      entry,
      placer,
      entry.urgencyOf(one),
      async () => await send(entry, { ...placer, mayPlace: permitOf(placer, isPermitted) }, pair, onSent),
    )
    return 'outcome' in placed ? both(placed) : placed
  }
}

const unlike = 'the exchange takes a pair of orders only with one side and one quantity'

async function send(
  { readOrder, onPlaced }: OrderEntry,
  { desk, mayPlace }: Placer,
  pair: Pair,
  onSent: () => void,
): Promise<Placements> {
  const answer = await desk.send({
    method: 'POST',
    path: '/api/v3/orderList/oco',
    fields: ocoFields(pair),
    permit: mayPlace,
    onSent: once(onSent),
  })
  const { orderReports } = OrderList.parse(answer)
  const placementOf = (plan: OrderPlan): Placement => {
    const order = orderReports
      .map((report) => readOrder(report, plan))
      .find(({ clientOrderId }) => clientOrderId === plan.clientOrderId)
    if (order === undefined)
      return { outcome: 'unknown', cause: 'the exchange does not show this order of the pair' }
    onPlaced(order)
    return { outcome: 'done', order }
  }
  return [placementOf(pair[0]), placementOf(pair[1])]
}

function both(placement: Placement): Placements {
  return [placement, placement]
}
