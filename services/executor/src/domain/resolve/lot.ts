import type { Market } from '../order/market.ts'
import type { OrderType } from '../order/order-type.ts'

/** The market with the lot that binds orders of this type. */
export function marketFor(type: OrderType, market: Market): Market {
  const hasLimit = type === 'limit' || type === 'stopLimit' || type === 'takeProfitLimit'
  return hasLimit ? { ...market, ...market.limitLot } : market
}
