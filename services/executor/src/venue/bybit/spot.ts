import type { OpenedVenue, VenueOptions } from '../venue.ts'
import { openAccount } from './open-account.ts'
import { spotFields } from './order-fields.ts'
import { readSpotAccount } from './read-account.ts'
import { readSpotMarket } from './read-market.ts'
import type { StreamTiming } from './stream.ts'

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
      openAccount: ({ client, desk, shown }) => ({
        read: async (market, { isUrgent }) => {
          const { symbol } = market
          await shown()
          const answers = await Promise.all([
            desk.ask(
              () => client.get('private', 'v5/account/wallet-balance', { accountType: 'UNIFIED' }),
              isUrgent,
            ),
            desk.ask(() => client.get('public', 'v5/market/tickers', { category: 'spot', symbol }), isUrgent),
          ])
          return readSpotAccount(market, answers)
        },
        changeSettings: async () => ({
          outcome: 'refused',
          code: 'E404',
          error: 'Spot has no leverage, margin mode or position mode',
        }),
      }),
    },
    timing,
  )
}
