import type { Exchange } from 'ccxt'
import { z } from 'zod'
import { isConditional } from '../../domain/order/order.ts'
import { createOwnFills } from '../account/own-fills.ts'
import { publishFound } from '../account/published-calls.ts'
import { openTimedStream, type TimedStream } from '../account/timed-stream.ts'
import { venueClient } from '../account/venue-client.ts'
import { loadExchange } from '../http/load-exchange.ts'
import { causeOf } from '../http/refusal.ts'
import type { MarketPrices } from '../prices/market-prices.ts'
import { readFrom, Text } from '../read/read-fields.ts'
import type { OpenedVenue, VenueOptions } from '../venue.ts'
import { createChangeSettings, createFuturesSettings } from './account/futures-settings.ts'
import { createFuturesReadings } from './account/futures-view.ts'
import { futuresStatement } from './account/statement.ts'
import { readQuote } from './answers.ts'
import { type AccountParts, clientOptions, clientSettings, openParts } from './client.ts'
import { futuresCodes, positionSideDiffers } from './codes.ts'
import { futuresDialect } from './endpoint.ts'
import { createCancel } from './orders/cancel.ts'
import { createLookUp } from './orders/find-order.ts'
import { readAlgoOrder, readFuturesOrder } from './orders/futures-answers.ts'
import { algoFields, futuresFields } from './orders/futures-fields.ts'
import { type CompleteOrder, createCompleting } from './orders/futures-mean.ts'
import { createFuturesOrders, type FuturesOrders } from './orders/futures-orders.ts'
import { createPlace, type OrderEntry } from './orders/place.ts'
import { readRows } from './read-rows.ts'
import { createFollowing, type Following } from './stream/following.ts'
import { openFuturesStream } from './stream/futures-stream.ts'

/** A warm client of one Binance USDⓈ-M account; the address is what stands before `/fapi`. */
export async function openBinanceFutures(options: VenueOptions): Promise<OpenedVenue> {
  const parts = await openParts<MarketPrices>(options, {
    ...{ dialect: futuresDialect, codes: futuresCodes, kind: 'linear', socketPath: '/ws-fapi/v1', build },
  })
  // A client without an account of its own knows no settings.
  if (options.parent !== undefined) void loadLeverages(parts)
  return clientOf(parts)
}

type Parts = AccountParts<MarketPrices>

function clientOf(parts: Parts): OpenedVenue {
  const { options, endpoint, markets, restClient } = parts
  const updates = endpoint.orderUpdatesOf(options.credentials.apiKey)
  const { publisher, listen, shown } = updates.get()
  const orders = createFuturesOrders(restClient)
  const settings = createFuturesSettings(restClient)
  const fills = createOwnFills(endpoint.now)
  const following = createFollowing({
    open: (listener) => openFuturesStream(options, endpoint, restClient, listener),
    lookUp: async (ref) => publishFound(ref, await calls.lookUp(ref, 'usual', 'read'), publisher),
    onOrder: fills.note,
    now: endpoint.now,
    timing: options.timing,
  })
  const timedStream = openTimedStream({ ...following, room: endpoint.slots })
  const calls = callsOf(parts, { orders, following, timedStream }, settings.forget)
  const coinOf = (symbol: string): string | undefined => markets.get(symbol)?.quote
  const { subscribe, follow, currentUpdateOf } = following
  const { read, stop, ...known } = createFuturesReadings(
    { ...parts, subscribe, fills, listen, shown },
    options,
    { restClient, settings, coinOf },
  )
  return venueClient({
    ...{ ...parts, updates, publisher, calls, read },
    answers: 'early',
    listOpen: orders.list,
    readStatement: async () => await futuresStatement(restClient),
    quotes: [
      'futures',
      async (symbol) => readQuote(await restClient.get('/fapi/v1/ticker/bookTicker', { symbol })),
    ],
    more: { ...known, follow, currentUpdateOf, changeSettings: createChangeSettings(restClient, settings) },
    tryKey: async () => await restClient.get('/fapi/v1/accountConfig'),
    stop: () => {
      timedStream.stop()
      stop()
    },
  })
}

/** The requests and the updates of orders. */
interface OrderSources {
  orders: FuturesOrders
  following: Following
  timedStream: TimedStream
}

/** Returns the calls for single orders. */
function callsOf(
  { restClient }: Parts,
  { orders, following, timedStream }: OrderSources,
  forgetSettings: () => void,
) {
  const lookUp = createLookUp(following, orders)
  const { expectEnd, isLive } = following
  const complete = createCompleting(following, orders)
  const remove: FuturesOrders['remove'] = async (ref, seenAt) => {
    const order = await orders.remove(ref, seenAt)
    return order && (await complete(ref.symbol, order))
  }
  const place = createPlace(entryOf(following, complete, forgetSettings), restClient)
  return {
    place: async (...order: Parameters<typeof place>) => {
      const placing = place(...order)
      // Behind the order, which waits for nothing: those that follow have the stream.
      timedStream.use()
      return await placing
    },
    lookUp,
    cancel: createCancel({ remove, lookUp, expectEnd, isLive, codes: futuresCodes }),
  }
}

function entryOf(
  { expect, expectOrder, isLive }: Following,
  complete: CompleteOrder,
  forgetSettings: () => void,
): OrderEntry {
  return {
    requestOf: (order) =>
      isConditional(order)
        ? { path: '/fapi/v1/algoOrder', fields: algoFields(order) }
        : { path: '/fapi/v1/order', fields: futuresFields(order) },
    readOrder: (answer, plan) =>
      isConditional(plan) ? readAlgoOrder(answer, plan).order : readFuturesOrder(answer, plan),
    complete,
    urgencyOf: ({ reduceOnly }) => (reduceOnly ? 'exit' : 'entry'),
    codes: futuresCodes,
    onPlaced: expect,
    expectOrder,
    isLive,
    onRefused: ({ code }) => {
      if (code === positionSideDiffers) forgetSettings()
    },
  }
}

async function build({ baseUrl, credentials }: VenueOptions): Promise<Exchange> {
  const Binanceusdm = await loadExchange('binanceusdm')
  const urls = { api: futuresUrls(baseUrl) }
  return new Binanceusdm({ ...credentials, ...clientSettings, urls, options: clientOptions })
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

const bracketSource = { venue: 'binance-futures', call: 'leverageBracket' } as const

/** GET /fapi/v1/leverageBracket of one symbol; the first bracket allows the most. */
const Brackets = z.object({ symbol: Text, brackets: z.array(z.object({ initialLeverage: Text })) })

function readBrackets(row: unknown): z.output<typeof Brackets> {
  return readFrom(bracketSource, Brackets, row)
}

/** The most leverage of each market, which the venue reports only to accounts; all clients share it. */
async function loadLeverages({ restClient: { get }, markets, options: { log } }: Parts): Promise<void> {
  if ([...markets.values()].some(({ maxLeverage }) => maxLeverage !== undefined)) return
  try {
    const answer = await get('/fapi/v1/leverageBracket')
    for (const { symbol, brackets } of readRows(answer, readBrackets)) {
      const market = markets.get(symbol)
      if (market !== undefined) markets.set(symbol, { ...market, maxLeverage: brackets[0]?.initialLeverage })
    }
  } catch (error) {
    log.warn({ cause: causeOf(error) }, 'the exchange did not report its leverages')
  }
}
