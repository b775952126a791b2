import { isZero } from '@tripline/proto/decimal'
import type { Exchange } from 'ccxt'
import {
  isTerminal,
  type LookUp,
  type LookUpDepth,
  type OrderRef,
  type VenueOrder,
} from '../../domain/order/order.ts'
import { createOwnFills } from '../account/own-fills.ts'
import { publishFound, withPairUpdates, withUpdates } from '../account/published-calls.ts'
import { listWith, lookUpWith, readWith, statementWith } from '../account/questions.ts'
import { endpointAt } from '../endpoint.ts'
import { type Markets, marketsOf } from '../http/library-client.ts'
import { createRestClient, type RestClient, type Urgency, urgencyOf } from '../http/rest-client.ts'
import type { OpenedVenue, VenueOptions } from '../venue.ts'
import { Fills, feeByFills, isNamed, readQuote } from './answers.ts'
import { createCancel } from './cancel.ts'
import { clientOptions, clientSettings, openLibrary } from './client.ts'
import { spotCodes } from './codes.ts'
import { type SpotEndpoint, spotDialect } from './endpoint.ts'
import { findElsewhere, orAbsent } from './find-elsewhere.ts'
import { createFollowing, type Following } from './following.ts'
import { createLimits, type Limits } from './limits.ts'
import { createPlaceOco } from './oco.ts'
import { createSocketSender } from './order-socket.ts'
import { createPlace, type OrderEntry } from './place.ts'
import { readMarket } from './read-market.ts'
import { readAll, readRows } from './read-rows.ts'
import { restDialect } from './rest-dialect.ts'
import { OrderList, readSpotOrder } from './spot-answers.ts'
import { spotFields } from './spot-fields.ts'
import { openSpotStream } from './spot-stream.ts'
import { createSpotReadings } from './spot-view.ts'
import { spotStatementOf } from './statement.ts'

/** A warm client of one Binance spot account; the address is what stands before `/api`. */
export async function openBinanceSpot(options: VenueOptions): Promise<OpenedVenue> {
  const endpoint: SpotEndpoint = await endpointAt(options.connections, options.baseUrl, spotDialect)
  const limits = createLimits(endpoint.usage, endpoint.now, options.userId)
  const library = await openLibrary(async () => await build(options), options, endpoint, limits)
  const viaSocket = createSocketSender(options, '/ws-api/v3', endpoint, limits)
  const restClient = createRestClient(
    options,
    endpoint,
    restDialect(options.credentials, spotCodes, limits, viaSocket),
  )
  const markets = marketsOf(library, (listed) => readMarket(listed, 'spot'))
  return { client: library, ...venueOf({ options, endpoint, limits, markets, restClient }) }
}

interface Parts {
  options: VenueOptions
  endpoint: SpotEndpoint
  limits: Limits
  markets: Markets
  restClient: RestClient
}

function venueOf(parts: Parts): Omit<OpenedVenue, 'client'> {
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
  const { subscribe } = following
  const { read, stop, knownNow, positionNow } = createSpotReadings(
    { ...parts, subscribe, fills, listen, shown },
    options,
    { restClient, markets },
  )
  const venue: OpenedVenue['venue'] = {
    market: (symbol) => markets.get(symbol),
    clockAheadMs: endpoint.aheadMs,
    symbols: () => [...markets.keys()],
    ...withUpdates(calls, publisher, 'final', changed),
    placeOco: withPairUpdates(placeOco, publisher, changed),
    openOrders: async (symbol, isUrgent) =>
      await listWith(spotCodes, shown, async () =>
        readAll(await restClient.get('/api/v3/openOrders', { symbol }, urgencyOf(isUrgent)), (row) =>
          readSpotOrder(row),
        ),
      ),
    statement: async () =>
      await statementWith(
        spotCodes,
        { endpoint, shown },
        async () => await spotStatementOf(restClient, markets),
      ),
    read: async (symbol, need = {}) => await readWith(spotCodes, async () => await read(symbol, need)),
    knownNow,
    positionNow,
    changeSettings: async () => ({
      outcome: 'refused',
      code: 'E404',
      error: 'spot knows neither leverage nor margin nor position modes',
    }),
    follow: following.follow,
    currentUpdateOf: following.currentUpdateOf,
    quotes: endpoint.quotes('spot', async (symbol) =>
      readQuote(await restClient.get('/api/v3/ticker/bookTicker', { symbol })),
    ),
  }
  return {
    venue,
    stop: () => {
      stop()
      updates.leave()
    },
    tryKey: async () => await restClient.get('/api/v3/account'),
  }
}

/** Returns the calls for single orders, and pairs of them. */
function callsOf({ restClient }: Parts, following: Following) {
  const lookUp = async (
    ref: OrderRef,
    depth: LookUpDepth = 'usual',
    urgency: Urgency = 'lookUp',
  ): Promise<LookUp> => {
    const byName = async () => await orAbsent(async () => await findOrder(restClient, urgency, ref))
    const lastUpdate = () => following.lastUpdateOf(ref)
    const elsewhere = async () =>
      await findElsewhere(
        {
          get: async (path, fields) => await restClient.get(`/api/v3/${path}`, fields, urgency),
          trades: 'myTrades',
          read: (row) => readSpotOrder(row),
        },
        ref,
      )
    const found = await lookUpWith({ byName, elsewhere, lastUpdate, stream: following }, depth)
    if (found.outcome === 'found') following.expect(ref.symbol, found.order)
    return found
  }
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
  const ccxt = await import('ccxt')
  const api = `${baseUrl}/api/v3`
  return new ccxt.binance({
    ...credentials,
    ...clientSettings,
    urls: { api: { public: api, private: api } },
    options: { ...clientOptions, fetchMarkets: { types: ['spot'] } },
  })
}

async function findOrder({ get }: RestClient, urgency: Urgency, ref: OrderRef): Promise<VenueOrder> {
  const order = readSpotOrder(await get('/api/v3/order', nameOf(ref), urgency))
  if (!isTerminal(order) || isZero(order.filled)) return order
  try {
    const question = { symbol: ref.symbol, orderId: order.venueOrderId, limit: mostFills }
    const fills = Fills.parse(await get('/api/v3/myTrades', question))
    return { ...order, fee: feeByFills(fills, order) ?? order.fee }
  } catch {
    // The order is what was asked for; without its cost it is still the answer.
    return order
  }
}

const mostFills = 1000

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

function nameOf({ symbol, venueOrderId, clientOrderId }: OrderRef): Record<string, string> {
  return isNamed(venueOrderId)
    ? { symbol, orderId: venueOrderId }
    : { symbol, origClientOrderId: clientOrderId }
}
