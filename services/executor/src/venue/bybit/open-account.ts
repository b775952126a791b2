import { isZero } from '@tripline/proto/decimal'
import type { Market } from '../../domain/order/market.ts'
import type { OrderPlan, VenueOrder } from '../../domain/order/order.ts'
import { lookUpWith } from '../account/look-up.ts'
import { UnlistedSymbolError, venueClient } from '../account/venue-client.ts'
import { endpointAt } from '../endpoint.ts'
import { marketsOf } from '../http/library-client.ts'
import type { OpenedVenue, Venue, VenueOptions } from '../venue.ts'
import type { AccountParts, CategoryAccount } from './account/category-account.ts'
import { listenerIn } from './account/category-updates.ts'
import { readQuote } from './account/read-account.ts'
import { statementOf } from './account/statement.ts'
import { openLibrary } from './client.ts'
import { bybitCodes } from './codes.ts'
import { bybitDialect, type Endpoint } from './endpoint.ts'
import { createCancel } from './orders/cancel.ts'
import type { OrderSources } from './orders/ended-order.ts'
import { createOrderFinder } from './orders/find-order.ts'
import type { OrderFields } from './orders/order-fields.ts'
import { createPlace } from './orders/place.ts'
import { type Category, openRestClient, type RestClient } from './rest-client.ts'
import { createFollowing, type Following, type StreamTiming } from './stream/following.ts'

/** The parts that each category of markets has of its own. */
export interface CategoryWays {
  category: Category
  readMarket: (info: unknown) => Market
  fieldsOf: (order: OrderPlan) => OrderFields
  /** Returns the coin of fees in a market whose orders do not say; undefined if that depends on the side. */
  feeCoinOf: (market: Market) => string | undefined
  openAccount: (parts: AccountParts) => CategoryAccount
}

/** A warm client of one Bybit account in one category; the address is what stands before `/v5`. */
export async function openAccount(
  options: VenueOptions,
  ways: CategoryWays,
  timing?: Partial<StreamTiming>,
): Promise<OpenedVenue> {
  const endpoint: Endpoint = await endpointAt(options.connections, options.baseUrl, bybitDialect)
  const { category } = ways
  const library = await openLibrary(options, category, endpoint)
  const restClient = openRestClient(options, category, endpoint)
  const markets = marketsOf(library, ways.readMarket)
  const feeCoinOf = (symbol: string): string | undefined => {
    const market = markets.get(symbol)
    return market && ways.feeCoinOf(market)
  }
  const finder = createOrderFinder(restClient, feeCoinOf)
  const { credentials, streamUrl, log, onStream } = options
  const updates = endpoint.orderUpdatesOf(credentials.apiKey)
  const { publisher, listen, shown } = updates.get()
  const own = listenerIn(category, publisher)
  const { topics, read, onRefusal, stop, ...more } = ways.openAccount({
    ...{ options, restClient, markets, listen, shown },
    subscribe: (listener) => feed.subscribe(listener),
  })
  const feed = createFollowing({
    ...{ streamUrl, log, onStream, restClient, finder, feeCoinOf, timing, topics },
    onOrder: (symbol, order) => {
      if (!isZero(order.filled)) own.onAnswer(symbol, named(order))
    },
  })
  const { follow, currentUpdateOf } = feed
  return venueClient({
    ...{ library, endpoint, markets, updates, codes: bybitCodes, publisher: own },
    answers: 'early',
    calls: callsOf(ways, restClient, { feed, finder }, onRefusal),
    listOpen: async (symbol, urgency) =>
      (await finder.listOpen({ symbol }, urgency)).map(({ order }) => order),
    readStatement: async () => await statementOf({ restClient, finder, markets }),
    read: async (symbol, need) => {
      const market = markets.get(symbol)
      if (market === undefined) throw new UnlistedSymbolError()
      return await read(market, need)
    },
    quotes: [
      category,
      async (symbol) => readQuote(category, await restClient.get('/v5/market/tickers', { category, symbol })),
    ],
    more: { ...more, follow, currentUpdateOf },
    tryKey: async () => await restClient.get('/v5/user/query-api'),
    stop: () => {
      stop?.()
      restClient.stop()
    },
  })
}

/** An order with the name by which its executions are reported: those that the venue made, or people placed, have its own. */
function named(order: VenueOrder): VenueOrder {
  return order.clientOrderId === '' ? { ...order, clientOrderId: order.venueOrderId } : order
}

/** Returns the calls for single orders. */
function callsOf(
  { fieldsOf }: CategoryWays,
  restClient: RestClient,
  sources: AccountSources,
  onRefusal: (() => void) | undefined,
): Pick<Venue, 'place' | 'lookUp' | 'cancel'> {
  const { feed, finder } = sources
  const place = createPlace(restClient, sources, fieldsOf)
  return {
    place: async (order, onSent, isPermitted) => {
      const placement = await place(order, onSent, isPermitted)
      if (placement.outcome === 'refused') onRefusal?.()
      return placement
    },
    lookUp: async (ref, depth = 'usual') =>
      await lookUpWith(
        {
          byName: async () => (await finder.find(ref, depth))?.order,
          lastUpdate: () => feed.lastUpdateOf(ref),
          stream: feed,
        },
        depth,
      ),
    cancel: createCancel(restClient, sources),
  }
}

interface AccountSources extends OrderSources {
  feed: Following
}
