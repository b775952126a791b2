import { sizeNow } from '../account-view/recall.ts'
import { type MarketPrices, noPrices } from '../market-prices.ts'
import { createSharing } from '../shared-at.ts'
import { futuresCodes } from './codes.ts'
import { openFuturesPrices } from './futures-prices.ts'
import { askAccount, knownFutures, type ReadingSources, readFutures, shownMode } from './futures-reading.ts'
import { createReadings, type ReadAccount, type Readings } from './readings.ts'

const sharePrices = createSharing<MarketPrices>()

/** The readings of a USDⓈ-M account that nobody asked for yet. */
export function createFuturesReadings(
  account: ReadAccount,
  parts: Pick<ReadingSources, 'client' | 'restClient' | 'settings' | 'coinOf'>,
): Readings {
  const { connections, streamUrl, log } = account.options
  const { client, settings, coinOf } = parts
  const prices = sharePrices(connections, streamUrl, () => openFuturesPrices(streamUrl, log))
  let lastSymbol: string | undefined
  return createReadings(account, {
    codes: futuresCodes,
    askAccount: async (request) => await askAccount(client, request, coinOf),
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
