import { createLog } from '@tripline/kit/telemetry/log'
import type { ExchangeMarket } from '@tripline/proto/exchange'
import type { Credentials } from '@tripline/proto/user-config'
import { addressOf, type VenueAddress } from '../src/venue/addresses.ts'
import { openConnections, type VenueConnections } from '../src/venue/connections.ts'
import { venueMarkets } from '../src/venue/markets.ts'
import type { OpenedVenue } from '../src/venue/venue.ts'
import type { ProbeOptions } from './options.ts'

/** The account as the product opens it, over connections of its own. */
export interface OpenedProduct extends OpenedVenue {
  close: () => Promise<void>
}

/** Opens the account in the way of production. */
export async function openProduct(
  market: ExchangeMarket,
  { rest, stream, orders, prices }: VenueAddress,
  credentials: Credentials,
): Promise<OpenedProduct> {
  const connections: VenueConnections = openConnections()
  const options = {
    ...{ baseUrl: rest, streamUrl: stream, ordersUrl: orders, pricesUrl: prices, credentials, connections },
    // Nobody else places for this account in the name of the product.
    tenure: () => ({ since: Number.NEGATIVE_INFINITY, provenAt: Number.POSITIVE_INFINITY }),
    log: createLog('venue-probe', 'silent'),
  }
  const { open } = venueMarkets[market]
  try {
    const parent = await open({ ...options, parent: undefined })
    const opened = await open({ ...options, parent: parent.client })
    return {
      ...opened,
      close: async () => {
        opened.stop?.()
        parent.stop?.()
        await connections.close()
      },
    }
  } catch (error) {
    await connections.close()
    throw error
  }
}

/** Returns the address of a probe: the product's own, or below the given one. */
export function addressFor(
  { network, baseUrl }: Pick<ProbeOptions, 'network' | 'baseUrl'>,
  market: ExchangeMarket,
): VenueAddress {
  if (baseUrl === undefined) return addressOf({ paperUrl: '', venues: 'live', book: {} }, market, network)
  const stream = baseUrl.replace(/^http/, 'ws')
  return { rest: baseUrl, stream, orders: stream, prices: stream }
}
