import type { ReadingNeed } from '../../../domain/account/reading-scope.ts'
import { createReadings, type ReadAccount, type Readings } from '../../account/readings.ts'
import type { Share } from '../../account/shared.ts'
import type { Markets } from '../../http/library-client.ts'
import { type RestClient, urgencyOf } from '../../http/rest-client.ts'
import type { VenueOptions } from '../../venue.ts'
import type { SpotEndpoint } from '../endpoint.ts'
import type { Limits } from '../limits.ts'
import { noSpotPrices, openSpotPrices, type SpotPrices } from '../prices/spot-prices.ts'
import { askSpotAccount, heldNow, knownSpot, readSpot, type SpotAnswers } from './spot-reading.ts'

/** The readings of a spot account that was not requested yet. */
export function createSpotReadings(
  account: ReadAccount & { endpoint: SpotEndpoint; limits: Limits },
  options: Pick<VenueOptions, 'pricesUrl' | 'log'>,
  { restClient, markets }: { restClient: RestClient; markets: Markets },
): Readings {
  const prices = pricesFor(account.endpoint, options)
  return createReadings<SpotAnswers>(account, {
    ask: async (isUrgent) => await askSpotAccount(restClient, urgencyOf(isUrgent)),
    mayRead: () => account.limits.objectionTo('read') === undefined,
    readFor: async (view, symbol, need) => {
      const sources = { restClient, view, prices: streamedFor(need, prices.get) }
      return await readSpot(sources, { symbol, market: markets.get(symbol) }, need)
    },
    knownFor: (view, symbol, scope) => {
      const sources = { restClient, view, prices: prices.get() }
      return knownSpot(sources, { symbol, market: markets.get(symbol) }, scope)
    },
    sizeFor: (view, symbol) => heldNow(view, markets.get(symbol)),
    refreshMore: async () => undefined,
    onSettings: () => undefined,
    leave: prices.leave,
  })
}

/** The prices that a reading takes from streams; one of this moment takes the reference price alone, where it counts. */
function streamedFor({ scope, isBandPriceAsked }: ReadingNeed, get: () => SpotPrices): SpotPrices {
  if (scope !== undefined) return get()
  return isBandPriceAsked ? { ...noSpotPrices, reference: get().reference } : noSpotPrices
}

/** The prices where public streams are; without these every one is asked for. */
function pricesFor(
  endpoint: SpotEndpoint,
  { pricesUrl, log }: Pick<VenueOptions, 'pricesUrl' | 'log'>,
): Share<SpotPrices> {
  if (pricesUrl === undefined) return { get: () => noSpotPrices, leave: () => undefined }
  return endpoint.prices(pricesUrl, () => openSpotPrices(`${pricesUrl}/stream`, log))
}
