import type { Exchange } from 'ccxt'
import type { OrderRef, VenueOrder } from '../../domain/order/order.ts'
import { createOwnFills } from '../account/own-fills.ts'
import { publishFound, withPairUpdates } from '../account/published-calls.ts'
import { venueClient } from '../account/venue-client.ts'
import { loadExchange } from '../http/load-exchange.ts'
import type { RestClient, Urgency } from '../http/rest-client.ts'
import type { OpenedVenue, VenueOptions } from '../venue.ts'
import { createSpotReadings } from './account/spot-view.ts'
import { spotStatementOf } from './account/statement.ts'
import { nameOf, readQuote } from './answers.ts'
import { type AccountParts, clientOptions, clientSettings, openParts } from './client.ts'
import { spotCodes } from './codes.ts'
import { spotDialect } from './endpoint.ts'
import { createCancel } from './orders/cancel.ts'
import { createLookUp, findElsewhere, type OrderLists, withFee } from './orders/find-order.ts'
import { createPlaceOco } from './orders/oco.ts'
import { createPlace, type OrderEntry } from './orders/place.ts'
import { OrderList, readSpotOrder } from './orders/spot-answers.ts'
import { spotFields } from './orders/spot-fields.ts'
import type { SpotPrices } from './prices/spot-prices.ts'
import { readAll, readRows } from './read-rows.ts'
import { createFollowing, type Following } from './stream/following.ts'
import { openSpotStream } from './stream/spot-stream.ts'

/** A warm client of one Binance spot account; the address is what stands before `/api`. */
export async function openBinanceSpot(options: VenueOptions): Promise<OpenedVenue> {
  const parts = await openParts<SpotPrices>(options, {
    ...{ dialect: spotDialect, codes: spotCodes, kind: 'spot', socketPath: '/ws-api/v3', build },
  })
  return clientOf(parts)
}

type Parts = AccountParts<SpotPrices>

function clientOf(parts: Parts): OpenedVenue {
  const { options, endpoint, markets, restClient } = parts
  const updates = endpoint.orderUpdatesOf(options.credentials.apiKey)
  const { publisher, listen, changed, shown } = updates.get()
  const fills = createOwnFills(endpoint.now)
  const following = createFollowing({
    open: (listener) => openSpotStream(options, endpoint, (symbol) => markets.get(symbol), listener),
    lookUp: async (ref) => publishFound(ref, await calls.lookUp(ref, 'usual', 'read'), publisher),
    onOrder: fills.note,
    now: endpoint.now,
    timing: options.timing,
  })
  const { placeOco, ...calls } = callsOf(parts, following)
  const { subscribe, follow, currentUpdateOf } = following
  const { read, stop, knownNow, positionNow } = createSpotReadings(
    { ...parts, subscribe, fills, listen, shown },
    options,
    { restClient, markets },
  )
  return venueClient({
    ...{ ...parts, updates, publisher, calls, read, stop },
    answers: 'final',
    listOpen: async (symbol, urgency) =>
      readAll(await restClient.get('/api/v3/openOrders', { symbol }, urgency), (row) => readSpotOrder(row)),
    readStatement: async () => await spotStatementOf(restClient, markets),
    quotes: [
      'spot',
      async (symbol) => readQuote(await restClient.get('/api/v3/ticker/bookTicker', { symbol })),
    ],
    more: {
      ...{ knownNow, positionNow, follow, currentUpdateOf },
      placeOco: withPairUpdates(placeOco, publisher, changed),
      changeSettings: async () => ({
        outcome: 'refused',
        code: 'E404',
        error: 'spot knows neither leverage nor margin nor position modes',
      }),
    },
    tryKey: async () => await restClient.get('/api/v3/account'),
  })
}

/** Returns the calls for single orders, and pairs of them. */
function callsOf({ restClient }: Parts, following: Following) {
  const lookUp = createLookUp(following, {
    find: async (ref, urgency) => await findOrder(restClient, urgency, ref),
    findElsewhere: async (ref, urgency) => await findElsewhere(restClient.get, lists, ref, urgency),
  })
  const { expectEnd, expectList, isLive } = following
  const entry = entryOf(following)
  return {
    place: createPlace(entry, restClient),
    placeOco: createPlaceOco({ ...entry, expectList }, restClient),
    lookUp,
    cancel: createCancel({
      remove: (ref, seenAt) => removeOrder(restClient, ref, seenAt),
      lookUp,
      expectEnd,
      isLive,
      codes: spotCodes,
    }),
  }
}

function entryOf({ expect, expectOrder, isLive }: Following): OrderEntry {
  return {
    requestOf: (order) => ({ path: '/api/v3/order', fields: spotFields(order) }),
    readOrder: (answer, plan) => readSpotOrder(answer, plan),
    complete: async (_symbol, order) => order,
    // A seller holds less of what can lose its value.
    urgencyOf: ({ side }) => (side === 'sell' ? 'exit' : 'entry'),
    codes: spotCodes,
    onPlaced: expect,
    expectOrder,
    isLive,
    onRefused: () => undefined,
  }
}

async function build({ baseUrl, credentials }: VenueOptions): Promise<Exchange> {
  const Binance = await loadExchange('binance')
  const api = `${baseUrl}/api/v3`
  return new Binance({
    ...credentials,
    ...clientSettings,
    urls: { api: { public: api, private: api } },
    options: { ...clientOptions, fetchMarkets: { types: ['spot'] } },
  })
}

const lists: OrderLists = { base: '/api/v3/', trades: 'myTrades', read: (row) => readSpotOrder(row) }

async function findOrder({ get }: RestClient, urgency: Urgency, ref: OrderRef): Promise<VenueOrder> {
  const order = readSpotOrder(await get('/api/v3/order', nameOf(ref), urgency))
  return await withFee(get, '/api/v3/myTrades', ref.symbol, order)
}

/** Cancels an order, and with it the pair that it may belong to. */
async function removeOrder(
  restClient: RestClient,
  ref: OrderRef,
  seenAt: number | undefined,
): Promise<VenueOrder | undefined> {
  const answer = await restClient.send({
    method: 'DELETE',
    path: '/api/v3/order',
    fields: nameOf(ref),
    urgency: 'cancel',
    seenAt,
  })
  const list = OrderList.safeParse(answer)
  // Orders that cannot be read are canceled all the same.
  const orders = readRows(list.success ? list.data.orderReports : [answer], (report) => readSpotOrder(report))
  return orders.find(
    ({ venueOrderId, clientOrderId }) =>
      venueOrderId === ref.venueOrderId || clientOrderId === ref.clientOrderId,
  )
}
