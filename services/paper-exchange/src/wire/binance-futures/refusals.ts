import type { Refusal } from '../../domain/filter.ts'
import { formatTrimmed } from '../../domain/fixed.ts'
import { finePrice, type Market, VALUE_SCALE } from '../../domain/market.ts'
import type { Side } from '../../domain/order.ts'
import type { Quote } from '../../domain/quote.ts'
import { VenueError } from '../binance/errors.ts'

type Words = readonly [code: number, message: string]

const MARGIN_SHORT: Words = [-2019, 'Margin is insufficient.']
const SIDE_MISMATCH: Words = [-4061, "Order's position side does not match user's setting."]
const NO_ORDER: Words = [-2011, 'Unknown order sent.']
const NOT_HERE: Words = [-1020, 'This operation is not supported.']

const REFUSALS: Readonly<Record<Exclude<Refusal, 'notionalBelowMin'>, Words>> = {
  quantityNotPositive: [-4003, 'Quantity less than or equal to zero.'],
  quantityBelowMin: [-4004, 'Quantity less than min quantity.'],
  quantityAboveMax: [-4005, 'Quantity greater than max quantity.'],
  quantityOffStep: [-4023, 'Qty not increased by step size.'],
  priceNotPositive: [-4001, 'Price less than 0.'],
  priceBelowMin: [-4013, 'Price less than min price.'],
  priceAboveMax: [-4002, 'Price greater than max price.'],
  priceOffTick: [-4014, 'Price not increased by tick size.'],
  priceAboveBand: [-4016, 'Price is higher than mark price multiplier cap.'],
  priceBelowBand: [-4024, 'Price is lower than mark price multiplier floor.'],
  notionalAboveMax: [-2027, 'Exceeded the maximum allowable position at current leverage.'],
  reduceOnlyRefused: [-2022, 'ReduceOnly Order is rejected.'],
  marginInsufficient: MARGIN_SHORT,
  balanceInsufficient: MARGIN_SHORT,
  positionAboveLimit: [-2027, 'Exceeded the maximum allowable position at current leverage.'],
  clientOrderIdOpen: [-4116, 'ClientOrderId is duplicated.'],
  clientOrderIdUsed: [-4116, 'ClientOrderId is duplicated.'],
  tooManyOpenOrders: [-2025, 'Reach max open order limit.'],
  tooManyConditionalOrders: [-4045, 'Reach max stop order limit.'],
  wouldTake: [
    -5022,
    'Due to the order could not be executed as maker, the Post Only order will be rejected.',
  ],
  notFillable: [-5021, 'Due to the order could not be filled immediately, the FOK order has been rejected.'],
  triggersAtOnce: [-2021, 'Order would immediately trigger.'],
  triggerPriceOffTick: [-4014, 'Price not increased by tick size.'],
  triggerPriceNotPositive: [-4006, 'Stop price less than zero.'],
  positionSideMismatch: SIDE_MISMATCH,
  positionModeUnchanged: [-4059, 'No need to change position side.'],
  openOrdersExist: [-4067, 'Position side cannot be changed if there exists open orders.'],
  positionExists: [-4068, 'Position side cannot be changed if there exists position.'],
  marginModeUnchanged: [-4046, 'No need to change margin type.'],
  leverageUnchanged: [-4028, 'Leverage is not valid'],
  leverageAboveMax: [-4028, 'Leverage is not valid'],
  closePositionExists: [
    -4130,
    'An open stop or take profit order with GTE and closePosition in the direction is existing.',
  ],
  listPricesWrong: NOT_HERE,
  protectionUnchanged: NOT_HERE,
  protectionWrongSide: NOT_HERE,
  noPosition: [-4054, 'Cannot add position margin: position is 0.'],
  orderNotOpen: NO_ORDER,
  quantityBelowFilled: NO_ORDER,
  amendUnchanged: [-5027, 'No need to modify the order.'],
}

/** Why an order or a change is not taken, as this venue says it. */
export function refusalError(refusal: Refusal, market: Market): VenueError {
  if (refusal !== 'notionalBelowMin') return new VenueError(...REFUSALS[refusal])
  const least = formatTrimmed(market.minNotional, VALUE_SCALE)
  return new VenueError(
    -4164,
    `Order's notional must be no smaller than ${least} (unless you choose reduce only).`,
  )
}

/** The refusal of a market order whose first fill would lie outside the band around the mark, or undefined. */
export function bestPriceError(
  market: Market,
  side: Side,
  { bid, ask, mark }: Quote,
): VenueError | undefined {
  const best = finePrice(market, side === 'buy' ? ask : bid) * 10_000n
  const isFair =
    side === 'buy' ? best <= mark * (10_000n + market.band.up) : best >= mark * (10_000n - market.band.down)
  if (isFair) return undefined
  return new VenueError(-4131, "The counterparty's best price does not meet the PERCENT_PRICE filter limit.")
}

const STOP_BANDS: Readonly<Partial<Record<Refusal, Words>>> = {
  priceAboveBand: [-4183, 'Price is higher than stop price multiplier cap.'],
  priceBelowBand: [-4184, 'Price is lower than stop price multiplier floor.'],
}

/** The same for a conditional order, whose limit is measured from its trigger. */
export function conditionalRefusalError(refusal: Refusal, market: Market): VenueError {
  const words = STOP_BANDS[refusal]
  return words ? new VenueError(...words) : refusalError(refusal, market)
}
