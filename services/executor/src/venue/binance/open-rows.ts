import { DecimalText } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { VenueOrder } from '../../domain/order.ts'
import { Id } from './answers.ts'

/**
 * The orders of a list of open ones. A row that cannot be read as an order of ours is one all the same, of another kind:
 * what somebody placed by hand hides none of the others.
 */
export function readOpenRows(answer: unknown, read: (row: unknown) => VenueOrder): VenueOrder[] {
  return z
    .array(z.unknown())
    .parse(answer)
    .map((row) => {
      try {
        return read(row)
      } catch {
        return readStrange(row)
      }
    })
}

const amount = DecimalText.catch('0')

const StrangeAlgo = z.object({
  algoId: Id,
  clientAlgoId: z.string(),
  side: z.enum(['BUY', 'SELL']),
  quantity: amount,
})

const StrangeOrder = z.object({
  orderId: Id,
  clientOrderId: z.string(),
  side: z.enum(['BUY', 'SELL']),
  origQty: amount,
  executedQty: amount,
})

/** What every row says, ordinary or conditional: by what it is canceled, and on which side it is. */
const Strange = z.union([
  StrangeAlgo.transform(({ algoId, clientAlgoId, side, quantity }) => ({
    venueOrderId: algoId,
    clientOrderId: clientAlgoId,
    side,
    quantity,
    filled: '0',
    isConditional: true,
  })),
  StrangeOrder.transform(({ orderId, clientOrderId, side, origQty, executedQty }) => ({
    venueOrderId: orderId,
    clientOrderId,
    side,
    quantity: origQty,
    filled: executedQty,
    isConditional: false,
  })),
])

function readStrange(row: unknown): VenueOrder {
  const strange = Strange.parse(row)
  return {
    ...strange,
    side: strange.side === 'BUY' ? 'buy' : 'sell',
    type: 'other',
    status: 'open',
    averagePrice: null,
    price: null,
    triggerPrice: null,
    reduceOnly: false,
    fee: null,
    updatedAt: null,
  }
}
