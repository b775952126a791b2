import type { Refusal } from '../domain/filter.ts'
import { finePrice, type Market } from '../domain/market.ts'
import type { OrderRequest, ProtectiveLeg } from '../domain/order.ts'
import type { Quote } from '../domain/quote.ts'

/** The prices that a take profit and a stop loss must lie beyond. */
export type Legs = Readonly<{
  takeProfit?: ProtectiveLeg | 'none' | undefined
  stopLoss?: ProtectiveLeg | 'none' | undefined
}>

/** Why the legs attached to an order cannot protect what it opens. */
export function wrongAttached(
  market: Market,
  { attached, side, type, price }: OrderRequest,
  quote: Quote,
): Refusal | undefined {
  if (!attached) return undefined
  const base = finePrice(market, type === 'limit' ? price : quote.last)
  return wrongLegs(market, attached, side === 'buy', () => base)
}

/** Why these legs cannot protect a long or short position: profit lies ahead of the price, loss behind it. */
export function wrongLegs(
  market: Market,
  { takeProfit, stopLoss }: Legs,
  isLong: boolean,
  priceFor: (leg: ProtectiveLeg) => bigint,
): Refusal | undefined {
  return wrongLeg(market, takeProfit, isLong, priceFor) ?? wrongLeg(market, stopLoss, !isLong, priceFor)
}

function wrongLeg(
  market: Market,
  leg: ProtectiveLeg | 'none' | undefined,
  above: boolean,
  priceFor: (leg: ProtectiveLeg) => bigint,
): Refusal | undefined {
  if (leg === undefined || leg === 'none') return undefined
  if (leg.price <= 0n) return 'triggerPriceNotPositive'
  if (leg.price % market.tick !== 0n) return 'triggerPriceOffTick'
  const [price, base] = [finePrice(market, leg.price), priceFor(leg)]
  return (above ? price > base : price < base) ? undefined : 'protectionWrongSide'
}
