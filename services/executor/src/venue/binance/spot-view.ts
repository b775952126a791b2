import type { ReadingNeed } from '../../domain/account/reading-scope.ts'
import type { Markets } from '../http/library-client.ts'
import { spotCodes } from './codes.ts'
import type { SpotEndpoint } from './endpoint.ts'
import { createReadings, type ReadAccount, type Readings } from './readings.ts'
import { noSpotPrices, openSpotPrices, type SpotPrices } from './spot-prices.ts'
import { askSpotAccount, heldNow, knownSpot, readSpot, type SpotAnswers } from './spot-reading.ts'

/** The readings of a spot account that nobody asked for yet. */
export function createSpotReadings(
  account: ReadAccount & { endpoint: SpotEndpoint },
  markets: Markets,
): Readings {
  const prices = pricesFor(account)
  return createReadings<SpotAnswers>(account, {
    codes: spotCodes,
    askAccount: async (urgency) => await askSpotAccount(account.restClient, urgency),
    readFor: async (view, symbol, need) => {
      const sources = { restClient: account.restClient, view, prices: streamedFor(need, prices.get) }
      return await readSpot(sources, { symbol, market: markets.get(symbol) }, need)
    },
    knownFor: (view, symbol, scope) => {
      const sources = { restClient: account.restClient, view, prices: prices.get() }
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
function pricesFor({ endpoint, options: { pricesUrl, log } }: Parameters<typeof createSpotReadings>[0]): {
  get: () => SpotPrices
  leave: () => void
} {
  if (pricesUrl === undefined) return { get: () => noSpotPrices, leave: () => undefined }
  return endpoint.prices(pricesUrl, () => openSpotPrices(`${pricesUrl}/stream`, log))
}
