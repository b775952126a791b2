import { isLess } from '@tripline/proto/decimal'
import type { OrderPlan } from '../../../domain/order/order.ts'

const types = {
  market: 'MARKET',
  limit: 'LIMIT',
  stop: 'STOP_LOSS',
  stopLimit: 'STOP_LOSS_LIMIT',
  takeProfit: 'TAKE_PROFIT',
  takeProfitLimit: 'TAKE_PROFIT_LIMIT',
} as const satisfies Record<OrderPlan['type'], string>

const timesInForce = { gtc: 'GTC', ioc: 'IOC', fok: 'FOK' } as const

/** The fields of an order as spot's POST order takes them. */
export function spotFields(order: OrderPlan): Record<string, string> {
  const { symbol, side, quoteQuantity, quantity } = order
  const isAtOnce = order.type === 'market' || order.type === 'limit'
  return {
    symbol,
    side: side.toUpperCase(),
    type: typeOf(order),
    ...(quoteQuantity === undefined ? { quantity } : { quoteOrderQty: quoteQuantity }),
    ...pricesOf(order),
    newClientOrderId: order.clientOrderId,
    // An order that may fill at once reports its fills, and with them their fees.
    newOrderRespType: isAtOnce ? 'FULL' : 'RESULT',
  }
}

/** The fields of a pair as POST orderList/oco takes them: the leg with the higher price is the one above. */
export function ocoFields(pair: readonly [OrderPlan, OrderPlan]): Record<string, string> {
  const [one, other] = pair
  const isOneBelow = isLess(placeOf(one), placeOf(other))
  const [below, above] = isOneBelow ? [one, other] : [other, one]
  return {
    symbol: one.symbol,
    side: one.side.toUpperCase(),
    quantity: one.quantity,
    ...legFields('above', above),
    ...legFields('below', below),
    newOrderRespType: 'RESULT',
  }
}

function legFields(prefix: 'above' | 'below', leg: OrderPlan): Record<string, string> {
  const fields = {
    // In a pair a limit order rests by definition.
    type: leg.type === 'limit' ? 'LIMIT_MAKER' : typeOf(leg),
    clientOrderId: leg.clientOrderId,
    ...(leg.type === 'limit' ? { price: leg.price ?? '0' } : pricesOf(leg)),
  }
  const named = Object.entries(fields).map(([name, value]) => [
    `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    value,
  ])
  return Object.fromEntries(named)
}

/** Returns the price at which a leg waits in the market. */
function placeOf({ type, price, triggerPrice }: OrderPlan): string {
  return (type === 'limit' ? price : triggerPrice) ?? '0'
}

function typeOf({ type, timeInForce }: OrderPlan): string {
  return type === 'limit' && timeInForce === 'postOnly' ? 'LIMIT_MAKER' : types[type]
}

function pricesOf({ type, price, triggerPrice, timeInForce }: OrderPlan): Record<string, string> {
  const isMaker = type === 'limit' && timeInForce === 'postOnly'
  const lasting = timeInForce === undefined || timeInForce === 'postOnly' ? 'gtc' : timeInForce
  return {
    ...(price !== undefined && { price }),
    ...(price !== undefined && !isMaker && { timeInForce: timesInForce[lasting] }),
    ...(triggerPrice !== undefined && { stopPrice: triggerPrice }),
  }
}
