import type { VenueOrder } from '../src/domain/order/order.ts'

/** A market order that is filled. */
export const filledOrder: VenueOrder = {
  venueOrderId: '7',
  clientOrderId: 'ours',
  side: 'buy',
  type: 'market',
  status: 'filled',
  quantity: '1',
  filled: '1',
  averagePrice: '58000',
  price: null,
  triggerPrice: null,
  isConditional: false,
  reduceOnly: false,
  fee: null,
  updatedAt: 1,
}
