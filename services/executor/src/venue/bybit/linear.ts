import type { OpenedVenue, VenueOptions } from '../venue.ts'
import { openLinearAccount } from './account/linear-account.ts'
import { openAccount } from './open-account.ts'
import { linearFields } from './orders/order-fields.ts'
import { readLinearMarket } from './read-market.ts'
import type { StreamTiming } from './stream/following.ts'

/** A warm client of one Bybit account for linear perpetuals; the address is what stands before `/v5`. */
export async function openBybitLinear(
  options: VenueOptions,
  timing?: Partial<StreamTiming>,
): Promise<OpenedVenue> {
  return await openAccount(
    options,
    {
      category: 'linear',
      readMarket: readLinearMarket,
      fieldsOf: linearFields,
      feeCoinOf: ({ quote }) => quote,
      openAccount: openLinearAccount,
    },
    timing,
  )
}
