import { isConditional, type OrderPlan } from '../../../domain/order/order.ts'

/** The body of a create request. */
export type OrderFields = Record<string, string | number | boolean>

const triggerSources = { last: 'LastPrice', mark: 'MarkPrice', index: 'IndexPrice' } as const
const positionIndexes = { both: 0, long: 1, short: 2 } as const
const timesInForce = { gtc: 'GTC', ioc: 'IOC', fok: 'FOK', postOnly: 'PostOnly' } as const

/** The fields of an order as the venue takes them for a linear market. */
export function linearFields(order: OrderPlan): OrderFields {
  const { positionSide, reduceOnly } = order
  return {
    category: 'linear',
    ...sharedFields(order),
    qty: order.quantity,
    positionIdx: positionIndexes[positionSide],
    ...(reduceOnly ? { reduceOnly: true } : {}),
    ...(order.triggerPrice === undefined ? {} : triggerFields(order, order.triggerPrice)),
  }
}

/** The fields of an order as the venue takes them for a spot market. */
export function spotFields(order: OrderPlan): OrderFields {
  const { quantity, quoteQuantity, triggerPrice } = order
  const unit = quoteQuantity === undefined ? 'baseCoin' : 'quoteCoin'
  return {
    category: 'spot',
    ...sharedFields(order),
    qty: quoteQuantity ?? quantity,
    // Without a unit a purchase would be by value, whatever was meant.
    ...(isMarket(order) ? { marketUnit: unit } : {}),
    ...(isConditional(order) && triggerPrice !== undefined ? { orderFilter: 'StopOrder', triggerPrice } : {}),
  }
}

function sharedFields(order: OrderPlan): OrderFields {
  const { symbol, side, price, timeInForce, clientOrderId } = order
  const limit = price === undefined ? {} : { price, timeInForce: timesInForce[timeInForce ?? 'gtc'] }
  return {
    symbol,
    side: side === 'buy' ? 'Buy' : 'Sell',
    orderType: isMarket(order) ? 'Market' : 'Limit',
    ...(isMarket(order) ? {} : limit),
    orderLinkId: clientOrderId,
  }
}

function isMarket({ type }: OrderPlan): boolean {
  return type === 'market' || type === 'stop' || type === 'takeProfit'
}

// 1 waits for the price to rise to the trigger, 2 for it to fall there.
function triggerFields({ type, side, trigger }: OrderPlan, triggerPrice: string): OrderFields {
  const isStop = type === 'stop' || type === 'stopLimit'
  const waitsForRise = (side === 'buy') === isStop
  return {
    triggerPrice,
    triggerDirection: waitsForRise ? 1 : 2,
    triggerBy: triggerSources[trigger ?? 'mark'],
  }
}
