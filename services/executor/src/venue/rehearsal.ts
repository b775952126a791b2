import { receiveWindowMs } from '../domain/order/doubt.ts'
import type { OrderPlan, Placement } from '../domain/order/order.ts'
import { readFuturesOrder } from './binance/orders/futures-answers.ts'
import { futuresFields } from './binance/orders/futures-fields.ts'
import { createSigner } from './binance/signer.ts'
import type { Venue } from './venue.ts'

/**
 * A venue for rehearsals: everything of a real placement but the wire. An order is signed as a real one is, with
 * credentials of no account, and answered here.
 */
export function rehearsalVenue({ quotes: _unasked, knownNow: _unknown, ...venue }: Venue): Venue {
  const sign = createSigner({ apiKey: 'nobody', secret: 'nobody' }, receiveWindowMs)
  return {
    ...venue,
    place: async (order, onSent) => {
      sign(futuresFields(order), Date.now())
      onSent()
      return filled(order)
    },
    lookUp: async () => ({ outcome: 'absent' }),
    cancel: async () => ({ outcome: 'gone', order: undefined }),
    openOrders: async () => ({ outcome: 'read', orders: [] }),
    changeSettings: async () => ({ outcome: 'unknown', cause: 'a rehearsal' }),
    statement: async () => ({ outcome: 'unreachable', cause: 'a rehearsal' }),
    read: async () => ({ outcome: 'unreachable', cause: 'a rehearsal' }),
  }
}

function filled(order: OrderPlan): Placement {
  const answer = {
    orderId: '1',
    clientOrderId: order.clientOrderId,
    side: order.side.toUpperCase(),
    status: 'FILLED',
    origQty: order.quantity,
    executedQty: order.quantity,
    avgPrice: '60000.10',
    price: '0',
    type: 'MARKET',
    reduceOnly: order.reduceOnly,
  }
  return { outcome: 'done', order: readFuturesOrder(JSON.parse(JSON.stringify(answer))) }
}
