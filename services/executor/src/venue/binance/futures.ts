import type { binanceusdm } from 'ccxt'
import type { AccountReading } from '../../domain/account.ts'
import { isConditional, type LookUp, type OrderRef } from '../../domain/order.ts'
import { quotesAt } from '../quotes.ts'
import type { OpenedVenue, VenueOptions } from '../venue.ts'
import { readQuote } from './answers.ts'
import { listWith, lookUpWith, readWith } from './ask.ts'
import { createCancel } from './cancel.ts'
import { clientOptions, clientSettings, type Markets, marketsOf, readyClient } from './client.ts'
import { futuresCodes, positionSideDiffers } from './codes.ts'
import { type Ask, createDesk, type Desk } from './desk.ts'
import { createFollowing } from './following.ts'
import { readFuturesAccount } from './futures-account.ts'
import { LeverageBrackets, readAlgoOrder, readFuturesOrder } from './futures-answers.ts'
import { algoFields, futuresFields } from './futures-fields.ts'
import { createFuturesOrders } from './futures-orders.ts'
import { createChangeSettings, createFuturesSettings, type FuturesSettings } from './futures-settings.ts'
import { openFuturesStream } from './futures-stream.ts'
import { createLimits, type Limits } from './limits.ts'
import { createSocketSender } from './order-socket.ts'
import { createPlace, type OrderEntry } from './place.ts'
import { causeOf } from './refusal.ts'
import { type Site, siteAt } from './site.ts'

/** A warm client of one Binance USDⓈ-M account; the address is what stands before `/fapi`. */
export async function openBinanceFutures(options: VenueOptions): Promise<OpenedVenue> {
  const site = await siteAt(options.connections, `${options.baseUrl}/fapi/v1/time`)
  const limits = createLimits(site.usage, site.now)
  const client = await openClient(options, site, limits)
  const markets = marketsOf(client, 'linear')
  const viaSocket = createSocketSender(options, '/ws-fapi/v1', site, limits)
  const desk = createDesk(options, site, limits, viaSocket)
  // Whose account it is nobody's knows no settings.
  if (options.parent !== undefined) void loadLeverages(client, desk, markets, options)
  return { client, venue: venueOf({ options, site, limits, client, markets, desk }) }
}

interface Parts {
  options: VenueOptions
  site: Site
  limits: Limits
  client: binanceusdm
  markets: Markets
  desk: Desk
}

function venueOf({ options, site, limits, client, markets, desk }: Parts): OpenedVenue['venue'] {
  const orders = createFuturesOrders(client, desk)
  const settings = createFuturesSettings(desk, {
    account: () => client.fapiPrivateGetAccountConfig(),
    symbol: (symbol) => client.fapiPrivateGetSymbolConfig({ symbol }),
  })
  const following = createFollowing({
    open: (ears) => openFuturesStream(options, site, limits, ears),
    lookUp: async (ref) => await lookUp(ref, desk.ask),
    now: site.now,
    timing: options.timing,
  })
  const lookUp = async (ref: OrderRef, ask: Ask = desk.press): Promise<LookUp> => {
    const found = await lookUpWith(async () => await orders.find(ref, ask))
    if (found.outcome === 'found') following.expect(found.order)
    return found
  }
  return {
    market: (symbol) => markets.get(symbol),
    clockAheadMs: site.aheadMs,
    symbols: () => [...markets.keys()],
    place: createPlace(entryOf(following.expect, settings.forget), {
      desk,
      limits,
      mayPlace: options.mayPlace,
    }),
    lookUp: async (ref) => await lookUp(ref),
    cancel: createCancel({ remove: orders.remove, lookUp, codes: futuresCodes }),
    openOrders: async (symbol, isUrgent = false) =>
      await listWith(futuresCodes, async () => await orders.list(symbol, isUrgent ? desk.press : desk.ask)),
    read: async (symbol, isUrgent = false) => {
      const coin = markets.get(symbol)?.quote ?? 'USDT'
      const ask = isUrgent ? desk.press : desk.ask
      return await readWith(futuresCodes, async () => await readAccount(client, ask, settings, coin, symbol))
    },
    changeSettings: createChangeSettings(desk, settings),
    follow: following.follow,
    quotes: quotesAt(options.connections, `${options.baseUrl}/fapi`, async (symbol) =>
      readQuote(await desk.ask(() => client.fapiPublicGetTickerBookTicker({ symbol }))),
    ),
  }
}

function entryOf(onPlaced: OrderEntry['onPlaced'], forgetSettings: () => void): OrderEntry {
  return {
    requestOf: (order) =>
      isConditional(order)
        ? { path: '/fapi/v1/algoOrder', fields: algoFields(order) }
        : { path: '/fapi/v1/order', fields: futuresFields(order) },
    readOrder: (answer, plan) =>
      isConditional(plan) ? readAlgoOrder(answer).order : readFuturesOrder(answer),
    urgencyOf: ({ reduceOnly }) => (reduceOnly ? 'exit' : 'entry'),
    codes: futuresCodes,
    onPlaced,
    onRefused: ({ code }) => {
      if (code === positionSideDiffers) forgetSettings()
    },
  }
}

async function openClient(options: VenueOptions, site: Site, limits: Limits): Promise<binanceusdm> {
  // On first use only: the library takes a third of a second to load.
  const ccxt = await import('ccxt')
  const urls = { api: futuresUrls(options.baseUrl) }
  const { credentials } = options
  const client = new ccxt.binanceusdm({ ...credentials, ...clientSettings, urls, options: clientOptions })
  return await readyClient(client, options, site, limits)
}

function futuresUrls(baseUrl: string): Record<string, string> {
  const versions = { '': 'v1', V2: 'v2', V3: 'v3' }
  return Object.fromEntries(
    Object.entries(versions).flatMap(([suffix, version]) => [
      [`fapiPublic${suffix}`, `${baseUrl}/fapi/${version}`],
      [`fapiPrivate${suffix}`, `${baseUrl}/fapi/${version}`],
    ]),
  )
}

/** The most leverage of each market, which the venue tells only to accounts; all clients share it. */
async function loadLeverages(
  client: binanceusdm,
  desk: Desk,
  markets: Markets,
  { log }: VenueOptions,
): Promise<void> {
  if ([...markets.values()].some(({ maxLeverage }) => maxLeverage !== undefined)) return
  try {
    const answer = await desk.ask(() => client.fapiPrivateGetLeverageBracket())
    for (const { symbol, brackets } of LeverageBrackets.parse(answer)) {
      const market = markets.get(symbol)
      if (market !== undefined) markets.set(symbol, { ...market, maxLeverage: brackets[0]?.initialLeverage })
    }
  } catch (error) {
    log.warn({ cause: causeOf(error) }, 'the exchange did not tell its leverages')
  }
}

async function readAccount(
  client: binanceusdm,
  ask: Ask,
  settings: FuturesSettings,
  coin: string,
  symbol: string,
): Promise<AccountReading> {
  const [account, positions, book, premium, known] = await Promise.all([
    ask(() => client.fapiPrivateV3GetAccount()),
    ask(() => client.fapiPrivateV3GetPositionRisk({ symbol })),
    ask(() => client.fapiPublicGetTickerBookTicker({ symbol })),
    ask(() => client.fapiPublicGetPremiumIndex({ symbol })),
    settings.of(symbol, ask),
  ])
  return readFuturesAccount(coin, symbol, { account, positions, book, premium, settings: known })
}
