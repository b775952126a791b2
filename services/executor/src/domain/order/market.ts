import type { Trigger } from '@tripline/proto/language/tree'
import type { OrderType } from './order-type.ts'

/** Abilities of a market beyond buying and selling. */
export interface MarketFeatures {
  /** A pair of orders of which one ends the other, managed by the venue. */
  nativeOco: boolean
  /** Orders that rest at the venue until their trigger. */
  conditional: boolean
  /** The kinds of order that the venue takes; absent where it takes all. */
  types?: readonly OrderType[]
  reduceOnly: boolean
  /** Long and short positions side by side. */
  hedge: boolean
  leverage: boolean
  /** The prices by which a conditional order can be triggered. */
  triggers: readonly Trigger[]
  /** Most open orders of a symbol; undefined where the venue does not say. */
  maxOpenOrders: number | undefined
  maxConditionalOrders: number | undefined
}

/** In which steps and between which bounds an order may be sized. */
export interface Lot {
  quantityStep: string
  minQuantity: string
  maxQuantity: string
}

/** Buys no higher and sells no lower than this, and where it is said buys no lower and sells no higher. */
export interface PriceBand {
  highest: string
  lowest: string
  lowestBuy?: string
  highestSale?: string
}

/** A venue's data of an instrument; all quantities and prices are decimal text. Its lot is that of market orders. */
export interface Market extends Lot {
  /** The venue's spelling, such as `BTCUSDT`. */
  symbol: string
  kind: 'linear' | 'spot'
  base: string
  quote: string
  isTrading: boolean
  /** The lot of orders with a limit price; absent where it is the same. */
  limitLot?: Lot
  priceTick: string
  /** The least value of an order; one that only reduces a linear position is exempt. */
  minNotional: string
  /** The least value of a market order; absent where it is the same. */
  minMarketNotional?: string
  /**
   * Bounds of limit prices around the mark, or the venue's reference price where it has one, as factors of it; the near
   * ends only where the venue bounds these too.
   */
  priceBand: PriceBand | undefined
  /** The lowest and highest price of any order, triggers included; absent where the venue sets none. */
  priceRange?: { lowest?: string; highest?: string }
  /** Undefined on spot, and where the venue has not reported it. */
  maxLeverage: string | undefined
  features: MarketFeatures
}
