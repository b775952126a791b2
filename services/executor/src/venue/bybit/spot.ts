import type { OpenedVenue, VenueOptions } from '../venue.ts'
import { openSpotAccount } from './account/spot-account.ts'
import { openAccount } from './open-account.ts'
import { spotFields } from './orders/order-fields.ts'
import { readSpotMarket } from './read-market.ts'
import type { StreamTiming } from './stream/following.ts'

/** A warm client of one Bybit account for spot; the address is what stands before `/v5`. */
export async function openBybitSpot(
  options: VenueOptions,
  timing?: Partial<StreamTiming>,
): Promise<OpenedVenue> {
  return await openAccount(
    options,
    {
      category: 'spot',
      readMarket: readSpotMarket,
      fieldsOf: spotFields,
      // A purchase pays in the coin it gets, a sale in the one it is paid in.
      feeCoinOf: () => undefined,
      openAccount: openSpotAccount,
    },
    timing,
  )
}
