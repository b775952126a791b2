import { createReadings, type ReadAccount, type Readings } from '../../account/readings.ts'
import { sizeNow } from '../../account/recall.ts'
import { urgencyOf } from '../../http/rest-client.ts'
import { noPrices } from '../../prices/market-prices.ts'
import type { VenueOptions } from '../../venue.ts'
import type { FuturesEndpoint } from '../endpoint.ts'
import type { Limits } from '../limits.ts'
import { openFuturesPrices } from '../prices/futures-prices.ts'
import { askAccount, knownFutures, type ReadingSources, readFutures, shownMode } from './futures-reading.ts'

/** The readings of a USDⓈ-M account that was not requested yet. */
export function createFuturesReadings(
  account: ReadAccount & { endpoint: FuturesEndpoint; limits: Limits },
  { streamUrl, log }: Pick<VenueOptions, 'streamUrl' | 'log'>,
  parts: Pick<ReadingSources, 'restClient' | 'settings' | 'coinOf'>,
): Readings {
  const { restClient, settings, coinOf } = parts
  const prices = account.endpoint.prices(streamUrl, () => openFuturesPrices(streamUrl, log))
  let lastSymbol: string | undefined
  return createReadings(account, {
    ask: async (isUrgent) => await askAccount(restClient, urgencyOf(isUrgent), coinOf),
    mayRead: () => account.limits.objectionTo('read') === undefined,
    readFor: async (view, symbol, need) => {
      if (need.scope !== undefined) lastSymbol = symbol
      const sources = { ...parts, view, prices: need.scope === undefined ? noPrices : prices.get() }
      return await readFutures(sources, symbol, need)
    },
    knownFor: (view, symbol, scope) => {
      lastSymbol = symbol
      return knownFutures({ ...parts, view, prices: prices.get() }, symbol, scope)
    },
    sizeFor: sizeNow,
    refreshMore: async (view) => {
      if (lastSymbol !== undefined && shownMode(view, lastSymbol) === undefined)
        await settings.refresh(lastSymbol)
    },
    onSettings: settings.forget,
    leave: prices.leave,
  })
}
