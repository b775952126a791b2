import type { OrderPlan } from '../../../domain/order/order.ts'

const types = {
  market: 'MARKET',
  limit: 'LIMIT',
  stop: 'STOP_MARKET',
  stopLimit: 'STOP',
  takeProfit: 'TAKE_PROFIT_MARKET',
  takeProfitLimit: 'TAKE_PROFIT',
} as const satisfies Record<OrderPlan['type'], string>

const timesInForce = { gtc: 'GTC', ioc: 'IOC', fok: 'FOK', postOnly: 'GTX' } as const
const workingTypes = { last: 'CONTRACT_PRICE', mark: 'MARK_PRICE' } as const

/** The fields of an order as USDⓈ-M's POST order takes them. */
export function futuresFields(order: OrderPlan): Record<string, string> {
  return {
    ...shared(order),
    newClientOrderId: order.clientOrderId,
    newOrderRespType: 'RESULT',
    ...exposure(order),
  }
}

/** The fields of a conditional order as POST algoOrder takes them. */
export function algoFields(order: OrderPlan): Record<string, string> {
  const { triggerPrice, trigger } = order
  return {
    algoType: 'CONDITIONAL',
    ...shared(order),
    ...(triggerPrice !== undefined && { triggerPrice }),
    // The venue has no trigger by the index; an order that asks for it is refused before.
    workingType: trigger === 'mark' ? workingTypes.mark : workingTypes.last,
    clientAlgoId: order.clientOrderId,
    ...exposure(order),
  }
}

function shared(order: OrderPlan): Record<string, string> {
  const { symbol, side, type, quantity, price, timeInForce } = order
  return {
    symbol,
    side: side.toUpperCase(),
    type: types[type],
    quantity,
    ...(price !== undefined && { price, timeInForce: timesInForce[timeInForce ?? 'gtc'] }),
  }
}

/** Hedge mode says by the side of the position what an order does to it, and takes no reduceOnly. */
function exposure({ positionSide, reduceOnly }: OrderPlan): Record<string, string> {
  if (positionSide !== 'both') return { positionSide: positionSide.toUpperCase() }
  return reduceOnly ? { reduceOnly: 'true' } : {}
}
