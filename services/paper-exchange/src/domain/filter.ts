import { isReducing } from './margin.ts'
import { finePrice, type Market, valueAt, valueAtMark } from './market.ts'
import type { OrderRequest } from './order.ts'
import type { Quote } from './quote.ts'
import type { Trigger } from './trigger.ts'

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

type Asked = Pick<
  OrderRequest,
  | 'type'
  | 'side'
  | 'quantity'
  | 'quoteQuantity'
  | 'price'
  | 'reduceOnly'
  | 'positionSide'
  | 'closePosition'
  | 'trigger'
>

/** The first filter of the market that the order fails, or undefined when it passes them all. */
export function failedFilter(market: Market, asked: Asked, quote: Quote): Refusal | undefined {
  return (
    (asked.trigger ? failedTrigger(market, asked.trigger) : undefined) ??
    (asked.closePosition ? undefined : failedSize(market, asked, quote)) ??
    (asked.type === 'limit' ? failedPrice(market, asked, quote) : undefined) ??
    failedNotional(market, asked, quote)
  )
}

function failedTrigger(market: Market, { price, trailing }: Trigger): Refusal | undefined {
  const prices = trailing ? [trailing.activation] : [price]
  for (const one of prices) {
    if (one === undefined) continue
    if (one <= 0n) return 'triggerPriceNotPositive'
    if (one % market.tick !== 0n) return 'triggerPriceOffTick'
  }
  return undefined
}

function failedSize(market: Market, asked: Asked, quote: Quote): Refusal | undefined {
  const { quoteQuantity } = asked
  if (quoteQuantity === undefined) return failedQuantity(market, asked)
  if (quoteQuantity <= 0n) return 'quantityNotPositive'
  const most = valueAt(market, market.maxMarketQuantity, quote.last)
  return quoteQuantity > most ? 'notionalAboveMax' : undefined
}

function failedQuantity(market: Market, { quantity, type }: Asked): Refusal | undefined {
  if (quantity <= 0n) return 'quantityNotPositive'
  // Bybit's spot has a least quantity, and checks the least value alone ("Get Instruments Info", 2026-07).
  if (quantity < market.minQuantity && market.venue !== 'bybit-spot') return 'quantityBelowMin'
  if (quantity > (type === 'market' ? market.maxMarketQuantity : market.maxQuantity))
    return 'quantityAboveMax'
  if (quantity % market.step !== 0n) return 'quantityOffStep'
  return undefined
}

function failedPrice(market: Market, asked: Asked, quote: Quote): Refusal | undefined {
  const { price } = asked
  if (price <= 0n) return 'priceNotPositive'
  if (price < market.minPrice) return 'priceBelowMin'
  if (price > market.maxPrice) return 'priceAboveMax'
  if ((price - market.minPrice) % market.tick !== 0n) return 'priceOffTick'
  return outsideBand(market, asked, referencePrice(market, asked, quote))
}

// Binance's spot keeps both sides within the band (PERCENT_PRICE_BY_SIDE of filters.md); the others only those who would pay
// too much or take too little ("Set Price Limit Behaviour" of Bybit: a highest price to buy, a lowest to sell).
function outsideBand(market: Market, { price, side }: Asked, reference: bigint): Refusal | undefined {
  const scaled = finePrice(market, price) * 10_000n
  const both = market.venue === 'binance-spot'
  if ((both || side === 'buy') && scaled > reference * (10_000n + market.band.up)) return 'priceAboveBand'
  if ((both || side === 'sell') && scaled < reference * (10_000n - market.band.down)) return 'priceBelowBand'
  return undefined
}

// Returns the price that another is measured against: the mark (linear) or last price (spot), or the price that wakes
// the order.
function referencePrice(market: Market, { trigger }: Asked, quote: Quote): bigint {
  if (trigger && !trigger.trailing) return finePrice(market, trigger.price)
  return market.kind === 'linear' ? quote.mark : finePrice(market, quote.last)
}

function failedNotional(market: Market, asked: Asked, quote: Quote): Refusal | undefined {
  if (asked.closePosition || (market.kind === 'linear' && isReducing(asked))) return undefined
  return notionalOf(market, asked, quote) < market.minNotional ? 'notionalBelowMin' : undefined
}

// A market order has no price of its own, so the venue counts it at its reference price.
function notionalOf(market: Market, asked: Asked, quote: Quote): bigint {
  if (asked.quoteQuantity !== undefined) return asked.quoteQuantity
  if (asked.type === 'limit') return valueAt(market, asked.quantity, asked.price)
  return valueAtMark(market, asked.quantity, referencePrice(market, asked, quote))
}
