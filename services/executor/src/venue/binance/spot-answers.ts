import { DecimalText, divide, isZero } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { VenueOrder } from '../../domain/order.ts'
import { Order, statuses } from './answers.ts'

// The venue's own spelling of "cumulative".
const SpotOrder = Order.extend({ cummulativeQuoteQty: DecimalText, type: z.string() })

/** An order as Binance spot answers it (FULL, RESULT, and GET order). */
export function readSpotOrder(answer: unknown): VenueOrder {
  const order = SpotOrder.parse(answer)
  const { executedQty, cummulativeQuoteQty } = order
  return {
    venueOrderId: order.orderId,
    clientOrderId: order.clientOrderId,
    side: order.side === 'BUY' ? 'buy' : 'sell',
    status: statuses[order.status],
    type: order.type === 'MARKET' ? 'market' : 'limit',
    quantity: order.origQty,
    filled: executedQty,
    averagePrice: isZero(executedQty) ? null : divide(cummulativeQuoteQty, executedQty),
    price: null,
    triggerPrice: null,
    isConditional: false,
    reduceOnly: false,
    fee: null,
    updatedAt: null,
  }
}

/** GET /api/v3/account. */
export const SpotAccount = z.object({
  balances: z.array(z.object({ asset: z.string(), free: DecimalText, locked: DecimalText })),
})
