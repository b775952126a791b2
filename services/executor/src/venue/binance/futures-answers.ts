import { DecimalText } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { VenueOrder } from '../../domain/order.ts'
import { Order, statuses } from './answers.ts'

const FuturesOrder = Order.extend({ avgPrice: DecimalText, reduceOnly: z.boolean(), type: z.string() })

/** An order as Binance USDⓈ-M answers it (RESULT, and GET order). */
export function readFuturesOrder(answer: unknown): VenueOrder {
  const order = FuturesOrder.parse(answer)
  return {
    venueOrderId: order.orderId,
    clientOrderId: order.clientOrderId,
    side: order.side === 'BUY' ? 'buy' : 'sell',
    status: statuses[order.status],
    type: order.type === 'MARKET' ? 'market' : 'limit',
    quantity: order.origQty,
    filled: order.executedQty,
    averagePrice: /^0*\.?0*$/.test(order.avgPrice) ? null : order.avgPrice,
    price: null,
    triggerPrice: null,
    isConditional: false,
    reduceOnly: order.reduceOnly,
    fee: null,
    updatedAt: null,
  }
}

/** GET /fapi/v3/account. */
export const FuturesAccount = z.object({
  assets: z.array(
    z.object({
      asset: z.string(),
      walletBalance: DecimalText,
      marginBalance: DecimalText,
      availableBalance: DecimalText,
    }),
  ),
})

/** GET /fapi/v3/positionRisk; in one-way mode a symbol has at most one entry. */
export const Positions = z.array(
  z.object({
    symbol: z.string(),
    positionAmt: DecimalText,
    entryPrice: DecimalText,
    unRealizedProfit: DecimalText,
  }),
)

/** GET /fapi/v1/premiumIndex of one symbol. */
export const PremiumIndex = z.object({ markPrice: DecimalText })
