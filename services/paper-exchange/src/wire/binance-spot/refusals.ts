import type { Refusal } from '../../domain/filter.ts'
import type { OrderRequest } from '../../domain/order.ts'
import { VenueError } from '../binance/errors.ts'

type Words = readonly [code: number, message: string]

const filter = (name: string): Words => [-1013, `Filter failure: ${name}`]
// Filters that count what is open are looked at by the matching engine.
const counting = (name: string): Words => [-2010, `Filter failure: ${name}`]
const rejected = (message: string): Words => [-2010, message]
const NOT_HERE = rejected('NEW_ORDER_REJECTED')

const REFUSALS: Readonly<Record<Refusal, Words>> = {
  quantityNotPositive: [-1013, 'Invalid quantity.'],
  quantityBelowMin: filter('LOT_SIZE'),
  quantityAboveMax: filter('LOT_SIZE'),
  quantityOffStep: filter('LOT_SIZE'),
  priceNotPositive: [-1013, 'Invalid price.'],
  priceBelowMin: filter('PRICE_FILTER'),
  priceAboveMax: filter('PRICE_FILTER'),
  priceOffTick: filter('PRICE_FILTER'),
  priceAboveBand: filter('PERCENT_PRICE_BY_SIDE'),
  priceBelowBand: filter('PERCENT_PRICE_BY_SIDE'),
  notionalBelowMin: filter('NOTIONAL'),
  notionalAboveMax: filter('NOTIONAL'),
  triggerPriceOffTick: filter('PRICE_FILTER'),
  triggerPriceNotPositive: [-1013, 'Invalid stopPrice.'],
  tooManyOpenOrders: counting('MAX_NUM_ORDERS'),
  tooManyConditionalOrders: counting('MAX_NUM_ALGO_ORDERS'),
  balanceInsufficient: rejected('Account has insufficient balance for requested action.'),
  marginInsufficient: rejected('Account has insufficient balance for requested action.'),
  clientOrderIdOpen: rejected('Duplicate order sent.'),
  clientOrderIdUsed: rejected('Duplicate order sent.'),
  wouldTake: rejected('Order would immediately match and take.'),
  triggersAtOnce: rejected('Stop price would trigger immediately.'),
  listPricesWrong: rejected('The relationship of the prices for the orders is not correct.'),
  orderNotOpen: [-2011, 'Unknown order sent.'],
  // The codes below belong to positions and to other venues; no request of this wire can meet them.
  notFillable: NOT_HERE,
  reduceOnlyRefused: NOT_HERE,
  positionAboveLimit: NOT_HERE,
  positionSideMismatch: NOT_HERE,
  positionModeUnchanged: NOT_HERE,
  openOrdersExist: NOT_HERE,
  positionExists: NOT_HERE,
  marginModeUnchanged: NOT_HERE,
  leverageUnchanged: NOT_HERE,
  leverageAboveMax: NOT_HERE,
  closePositionExists: NOT_HERE,
  protectionUnchanged: NOT_HERE,
  protectionWrongSide: NOT_HERE,
  noPosition: NOT_HERE,
  quantityBelowFilled: NOT_HERE,
  amendUnchanged: NOT_HERE,
}

const MARKET_LOT_SIZE = filter('MARKET_LOT_SIZE')

/** Why an order is not taken, as this venue says it. */
export function refusalError(
  refusal: Refusal,
  { type, trigger }: Pick<OrderRequest, 'type' | 'trigger'>,
): VenueError {
  const ofMarketOrder = type === 'market' && trigger === undefined && refusal === 'quantityAboveMax'
  return new VenueError(...(ofMarketOrder ? MARKET_LOT_SIZE : REFUSALS[refusal]))
}

/** Whether a refusal comes before the matching engine sees the order: it ends a replacement before its cancel. */
export function isFilterFailure(refusal: Refusal): boolean {
  return REFUSALS[refusal][0] === -1013
}
