import type { bybit, Exchange } from 'ccxt'
import type { AccountReading } from '../../domain/account.ts'
import type { Market } from '../../domain/market.ts'
import type { LookUp, OpenOrders, OrderPlan, OrderRef, Reading } from '../../domain/order.ts'
import { quotesAt } from '../quotes.ts'
import type { OpenedVenue, Venue, VenueOptions } from '../venue.ts'
import { createCancel } from './cancel.ts'
import { openClient } from './client.ts'
import { leavesOpen, meaningOf } from './codes.ts'
import { type Category, type Desk, openDesk } from './desk.ts'
import { createOrderFinder, type OrderFinder } from './find-order.ts'
import type { OrderFields } from './order-fields.ts'
import { createPlace } from './place.ts'
import { readQuote } from './read-account.ts'
import { causeOf, refusalIn } from './refusal.ts'
import { siteAt } from './site.ts'
import { createOrderFeed, type StreamTiming } from './stream.ts'

/** What one category of markets does in its own way. */
export interface CategoryWays {
  category: Category
  readMarket: (info: unknown) => Market
  fieldsOf: (order: OrderPlan) => OrderFields
  /** What fees in a market are paid in where orders do not say; undefined where that depends on the side. */
  feeCoinOf: (market: Market) => string | undefined
  readAccount: (client: bybit, market: Market, ask: Desk['ask']) => Promise<AccountReading>
  changeSettings: (desk: Desk) => Venue['changeSettings']
}

/** A warm client of one Bybit account in one category; the address is what stands before `/v5`. */
export async function openAccount(
  options: VenueOptions,
  ways: CategoryWays,
  timing?: Partial<StreamTiming>,
): Promise<OpenedVenue> {
  const site = await siteAt(options.connections, options.baseUrl)
  const client = await openClient(options, ways.category, site)
  const desk = openDesk(options, ways.category, site)
  const markets = readMarkets(client, ways)
  const feeCoinOf = (symbol: string): string | undefined => {
    const market = markets.get(symbol)
    return market && ways.feeCoinOf(market)
  }
  const finder = createOrderFinder(desk, client, feeCoinOf)
  const { streamUrl, log, onStream, mayPlace } = options
  const feed = createOrderFeed({ streamUrl, log, onStream, desk, finder, feeCoinOf, timing })
  const symbols = [...markets.keys()]
  const { category } = ways
  return {
    client: client as Exchange,
    stop: () => desk.orderSocket?.stop(),
    venue: {
      market: (symbol) => markets.get(symbol),
      clockAheadMs: site.aheadMs,
      symbols: () => symbols,
      place: createPlace(desk, { feed, finder }, { fieldsOf: ways.fieldsOf, mayPlace }),
      lookUp: async (ref) => await lookUp(finder, ref),
      cancel: createCancel(desk, { feed, finder }),
      openOrders: async (symbol, isUrgent) => await openOrders(finder, symbol, isUrgent),
      read: async (symbol, isUrgent) =>
        await read(asAsked(desk, isUrgent), client, markets.get(symbol), ways),
      changeSettings: ways.changeSettings(desk),
      follow: feed.follow,
      quotes: quotesAt(options.connections, `${options.baseUrl} ${category}`, async (symbol) =>
        readQuote(await desk.ask(() => client.publicGetV5MarketTickers({ category, symbol }))),
      ),
    },
  }
}

// What is listed in a way that we cannot read is not traded; the others are.
function readMarkets({ markets }: bybit, { readMarket }: CategoryWays): ReadonlyMap<string, Market> {
  const read = new Map<string, Market>()
  for (const listed of Object.values(markets ?? {})) {
    try {
      const market = readMarket(listed?.info)
      read.set(market.symbol, market)
    } catch {}
  }
  return read
}

async function lookUp(finder: OrderFinder, ref: OrderRef): Promise<LookUp> {
  try {
    const found = await finder.find(ref)
    return found === undefined ? { outcome: 'absent' } : { outcome: 'found', order: found.order }
  } catch (error) {
    return { outcome: 'unreachable', cause: causeOf(error) }
  }
}

async function openOrders(
  finder: OrderFinder,
  symbol: string,
  isUrgent: boolean | undefined,
): Promise<OpenOrders> {
  try {
    return { outcome: 'read', orders: (await finder.listOpen(symbol, isUrgent)).map(({ order }) => order) }
  } catch (error) {
    return readFailure(error)
  }
}

/** The desk's questions, of which all are urgent or none. */
function asAsked({ ask }: Desk, isUrgent: boolean | undefined): Desk['ask'] {
  return async (asked) => await ask(asked, isUrgent)
}

async function read(
  ask: Desk['ask'],
  client: bybit,
  market: Market | undefined,
  { readAccount }: CategoryWays,
): Promise<Reading> {
  if (market === undefined) return { outcome: 'refused', code: 'E401', error: 'The symbol is not listed' }
  try {
    return { outcome: 'read', account: await readAccount(client, market, ask) }
  } catch (error) {
    return readFailure(error)
  }
}

function readFailure(error: unknown) {
  const refusal = refusalIn(error)
  if (refusal === undefined || leavesOpen(refusal))
    return { outcome: 'unreachable', cause: causeOf(error) } as const
  return { outcome: 'refused', ...meaningOf(refusal) } as const
}
