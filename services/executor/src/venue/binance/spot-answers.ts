import { add, DecimalText, divide, isZero } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { Holding } from '../../domain/account.ts'
import type { VenueOrder } from '../../domain/order.ts'
import { feeOf, Order, priceOrNone, statuses } from './answers.ts'

/** Binance's words for kinds of order, in ours. */
const types: Readonly<Record<string, VenueOrder['type']>> = {
  MARKET: 'market',
  LIMIT: 'limit',
  LIMIT_MAKER: 'limit',
  STOP_LOSS: 'stop',
  STOP_LOSS_LIMIT: 'stopLimit',
  TAKE_PROFIT: 'takeProfit',
  TAKE_PROFIT_LIMIT: 'takeProfitLimit',
}

const SpotOrder = Order.extend({
  // The venue's own spelling of "cumulative".
  cummulativeQuoteQty: DecimalText,
  // In the answer to a cancel `clientOrderId` names the cancel, and this the order.
  origClientOrderId: z.string().optional(),
  stopPrice: DecimalText.optional(),
  isWorking: z.boolean().optional(),
  workingTime: z.number().optional(),
  transactTime: z.number().optional(),
  updateTime: z.number().optional(),
  fills: z.unknown().optional(),
})

/** An order as Binance spot answers it (FULL, RESULT, GET order, open orders, and DELETE order). */
export function readSpotOrder(answer: unknown): VenueOrder {
  const order = SpotOrder.parse(answer)
  const { executedQty, cummulativeQuoteQty } = order
  const type = types[order.type] ?? 'other'
  const isConditional = type !== 'market' && type !== 'limit' && type !== 'other'
  return {
    venueOrderId: order.orderId,
    clientOrderId: order.origClientOrderId ?? order.clientOrderId,
    side: order.side === 'BUY' ? 'buy' : 'sell',
    type,
    status: isConditional && waits(order) ? 'untriggered' : statuses[order.status],
    quantity: order.origQty,
    filled: executedQty,
    averagePrice: isZero(executedQty) ? null : divide(cummulativeQuoteQty, executedQty),
    price: priceOrNone(order.price),
    triggerPrice: priceOrNone(order.stopPrice),
    isConditional,
    reduceOnly: false,
    fee: order.fills === undefined ? null : feeOf(order.fills),
    updatedAt: order.transactTime ?? order.updateTime ?? null,
  }
}

/** True while a conditional order is not on the book. */
function waits({ status, isWorking, workingTime }: z.infer<typeof SpotOrder>): boolean {
  if (status === 'PENDING_NEW') return true
  return status === 'NEW' && isWorking !== true && !(workingTime !== undefined && workingTime > 0)
}

/** What an order list tells of its orders, when it is placed and when it is canceled. */
export const OrderList = z.object({ orderReports: z.array(z.unknown()) })

const Balance = z.object({ asset: z.string(), free: DecimalText, locked: DecimalText })

/** GET /api/v3/account. */
export const SpotAccount = z.object({ balances: z.array(Balance) })

/** What an account has of a coin. */
export function holdingOf({ asset, free, locked }: z.infer<typeof Balance>): Holding {
  return { coin: asset, total: add(free, locked), free }
}
