import { power } from './fixed.ts'
import { type Market, VALUE_SCALE, valueAt, valueAtMark } from './market.ts'
import type { OrderType, Side } from './order.ts'
import type { Quote } from './quote.ts'

/** Why something is not done; each venue has its own code and words for it. */
export type Refusal =
  | 'quantityNotPositive'
  | 'quantityBelowMin'
  | 'quantityAboveMax'
  | 'quantityOffStep'
  | 'priceNotPositive'
  | 'priceBelowMin'
  | 'priceAboveMax'
  | 'priceOffTick'
  | 'priceAboveBand'
  | 'priceBelowBand'
  | 'notionalBelowMin'
  | 'notionalAboveMax'
  | 'reduceOnlyRefused'
  | 'marginInsufficient'
  | 'balanceInsufficient'
  | 'positionAboveLimit'
  | 'clientOrderIdOpen'
  | 'clientOrderIdUsed'
  | 'tooManyOpenOrders'
  | 'tooManyConditionalOrders'
  | 'wouldTake'
  | 'notFillable'
  | 'triggersAtOnce'
  | 'triggerPriceOffTick'
  | 'triggerPriceNotPositive'
  | 'positionSideMismatch'
  | 'positionModeUnchanged'
  | 'openOrdersExist'
  | 'positionExists'
  | 'marginModeUnchanged'
  | 'leverageUnchanged'
  | 'leverageAboveMax'
  | 'closePositionExists'
  | 'listPricesWrong'
  | 'protectionUnchanged'
  | 'protectionWrongSide'
  | 'noPosition'
  | 'orderNotOpen'
  | 'quantityBelowFilled'
  | 'amendUnchanged'

/** Orders that may rest in one market for one account at a time. */
export const MAX_OPEN_ORDERS = 200

type Asked = Readonly<{ type: OrderType; side: Side; quantity: bigint; price: bigint; reduceOnly: boolean }>

/** The first filter of the market that the order fails, or undefined when it passes them all. */
export function failedFilter(market: Market, asked: Asked, quote: Quote): Refusal | undefined {
  return (
    failedQuantity(market, asked) ??
    (asked.type === 'limit' ? failedPrice(market, asked, quote) : undefined) ??
    (asked.reduceOnly || notionalOf(market, asked, quote) >= market.minNotional
      ? undefined
      : 'notionalBelowMin')
  )
}

function failedQuantity(market: Market, { quantity, type }: Asked): Refusal | undefined {
  if (quantity <= 0n) return 'quantityNotPositive'
  if (quantity < market.minQuantity) return 'quantityBelowMin'
  if (quantity > (type === 'market' ? market.maxMarketQuantity : market.maxQuantity))
    return 'quantityAboveMax'
  if (quantity % market.step !== 0n) return 'quantityOffStep'
  return undefined
}

function failedPrice(market: Market, { price, side }: Asked, quote: Quote): Refusal | undefined {
  if (price <= 0n) return 'priceNotPositive'
  if (price < market.minPrice) return 'priceBelowMin'
  if (price > market.maxPrice) return 'priceAboveMax'
  if ((price - market.minPrice) % market.tick !== 0n) return 'priceOffTick'
  const scaled = price * power(VALUE_SCALE - market.pricePrecision) * 10_000n
  if (side === 'buy' && scaled > quote.mark * (10_000n + market.priceBand)) return 'priceAboveBand'
  if (side === 'sell' && scaled < quote.mark * (10_000n - market.priceBand)) return 'priceBelowBand'
  return undefined
}

// A market order has no price of its own, so the venue counts it at the mark price.
function notionalOf(market: Market, { type, quantity, price }: Asked, quote: Quote): bigint {
  return type === 'market' ? valueAtMark(market, quantity, quote.mark) : valueAt(market, quantity, price)
}
