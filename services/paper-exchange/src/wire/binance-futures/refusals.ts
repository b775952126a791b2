import type { Refusal } from '../../domain/filter.ts'
import { formatTrimmed } from '../../domain/fixed.ts'
import { type Market, VALUE_SCALE } from '../../domain/market.ts'
import { VenueError } from '../binance/errors.ts'

const REFUSALS: Readonly<
  Record<Exclude<Refusal, 'notionalBelowMin'>, readonly [code: number, message: string]>
> = {
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
  reduceOnlyRefused: [-2022, 'ReduceOnly Order is rejected.'],
  marginInsufficient: [-2019, 'Margin is insufficient.'],
  positionAboveLimit: [-2027, 'Exceeded the maximum allowable position at current leverage.'],
  clientOrderIdOpen: [-4116, 'ClientOrderId is duplicated.'],
  tooManyOpenOrders: [-2025, 'Reach max open order limit.'],
  wouldTake: [
    -5022,
    'Due to the order could not be executed as maker, the Post Only order will be rejected.',
  ],
  notFillable: [-5021, 'Due to the order could not be filled immediately, the FOK order has been rejected.'],
}

/** Why an order is not taken, as this venue says it. */
export function refusalError(refusal: Refusal, market: Market): VenueError {
  if (refusal !== 'notionalBelowMin') return new VenueError(...REFUSALS[refusal])
  const least = formatTrimmed(market.minNotional, VALUE_SCALE)
  return new VenueError(
    -4164,
    `Order's notional must be no smaller than ${least} (unless you choose reduce only).`,
  )
}
