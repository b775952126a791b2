import { isZero } from '@tripline/proto/decimal'
import type { Market } from '../../domain/order/market.ts'

/** Returns the range of prices between two bounds; one that is missing or zero does not bind. */
export function priceRangeOf(
  lowest: string | undefined,
  highest: string | undefined,
): Pick<Market, 'priceRange'> {
  const priceRange = {
    ...(binds(lowest) && { lowest }),
    ...(binds(highest) && { highest }),
  }
  return Object.keys(priceRange).length === 0 ? {} : { priceRange }
}

function binds(bound: string | undefined): bound is string {
  return bound !== undefined && !isZero(bound)
}
