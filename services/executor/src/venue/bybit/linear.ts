import type { OpenedVenue, VenueOptions } from '../venue.ts'
import { openAccount } from './open-account.ts'
import { linearFields } from './order-fields.ts'
import { readLinearAccount } from './read-account.ts'
import { readLinearMarket } from './read-market.ts'
import { createChangeSettings } from './settings.ts'
import type { StreamTiming } from './stream.ts'

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
      readAccount: async (client, { symbol, quote }, ask) => {
        const market = { category: 'linear', symbol }
        const answers = await Promise.all([
          ask(() => client.privateGetV5AccountWalletBalance({ accountType: 'UNIFIED' })),
          ask(() => client.privateGetV5PositionList(market)),
          ask(() => client.publicGetV5MarketTickers(market)),
          ask(() => client.privateGetV5AccountInfo({})),
        ])
        return readLinearAccount(quote, answers)
      },
      changeSettings: createChangeSettings,
    },
    timing,
  )
}
