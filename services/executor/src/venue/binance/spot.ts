import { add, isZero, multiply } from '@tripline/proto/decimal'
import type { binance } from 'ccxt'
import { z } from 'zod'
import type { AccountReading } from '../../domain/account.ts'
import type { Market } from '../../domain/market.ts'
import { isTerminal, type LookUp, type OrderRef, type VenueOrder } from '../../domain/order.ts'
import { quotesAt } from '../quotes.ts'
import type { OpenedVenue, VenueOptions } from '../venue.ts'
import { BookTicker, feeOf, readQuote } from './answers.ts'
import { listWith, lookUpWith, readWith } from './ask.ts'
import { createCancel } from './cancel.ts'
import { clientOptions, clientSettings, type Markets, marketsOf, readyClient } from './client.ts'
import { spotCodes } from './codes.ts'
import { type Ask, createDesk, type Desk } from './desk.ts'
import { createFollowing } from './following.ts'
import { createLimits, type Limits } from './limits.ts'
import { createPlaceOco } from './oco.ts'
import { readOpenRows } from './open-rows.ts'
import { createSocketSender } from './order-socket.ts'
import { createPlace, type OrderEntry } from './place.ts'
import { type Site, siteAt } from './site.ts'
import { OrderList, readSpotOrder, SpotAccount } from './spot-answers.ts'
import { spotFields } from './spot-fields.ts'
import { openSpotStream } from './spot-stream.ts'

/** A warm client of one Binance spot account; the address is what stands before `/api`. */
export async function openBinanceSpot(options: VenueOptions): Promise<OpenedVenue> {
  const site = await siteAt(options.connections, `${options.baseUrl}/api/v3/time`)
  const limits = createLimits(site.usage, site.now)
  const client = await openClient(options, site, limits)
  const viaSocket = createSocketSender(options, '/ws-api/v3', site, limits)
  const desk = createDesk(options, site, limits, viaSocket)
  const markets = marketsOf(client, 'spot')
  return { client, venue: venueOf({ options, site, limits, client, markets, desk }) }
}

interface Parts {
  options: VenueOptions
  site: Site
  limits: Limits
  client: binance
  markets: Markets
  desk: Desk
}

function venueOf({ options, site, limits, client, markets, desk }: Parts): OpenedVenue['venue'] {
  const following = createFollowing({
    open: (ears) => openSpotStream(options, site, ears),
    lookUp: async (ref) => await lookUp(ref, desk.ask),
    now: site.now,
    timing: options.timing,
  })
  const lookUp = async (ref: OrderRef, ask: Ask = desk.press): Promise<LookUp> => {
    const found = await lookUpWith(async () => await findOrder(client, desk, ask, ref))
    if (found.outcome === 'found') following.expect(found.order)
    return found
  }
  const entry = entryOf(following.expect)
  const placer = { desk, limits, mayPlace: options.mayPlace }
  return {
    market: (symbol) => markets.get(symbol),
    clockAheadMs: site.aheadMs,
    symbols: () => [...markets.keys()],
    place: createPlace(entry, placer),
    placeOco: createPlaceOco(entry, placer),
    lookUp: async (ref) => await lookUp(ref),
    cancel: createCancel({ remove: (ref) => removeOrder(desk, ref), lookUp, codes: spotCodes }),
    openOrders: async (symbol, isUrgent = false) =>
      await listWith(spotCodes, async () => {
        const ask = isUrgent ? desk.press : desk.ask
        const answer = await ask(() => client.privateGetOpenOrders({ symbol }))
        return readOpenRows(answer, readSpotOrder)
      }),
    read: async (symbol, isUrgent = false) => {
      const ask = isUrgent ? desk.press : desk.ask
      return await readWith(
        spotCodes,
        async () => await readAccount(client, ask, markets.get(symbol), symbol),
      )
    },
    changeSettings: async () => ({
      outcome: 'refused',
      code: 'E404',
      error: 'spot knows neither leverage nor margin nor position modes',
    }),
    follow: following.follow,
    quotes: quotesAt(options.connections, `${options.baseUrl}/api`, async (symbol) =>
      readQuote(await desk.ask(() => client.publicGetTickerBookTicker({ symbol }))),
    ),
  }
}

function entryOf(onPlaced: OrderEntry['onPlaced']): OrderEntry {
  return {
    requestOf: (order) => ({ path: '/api/v3/order', fields: spotFields(order) }),
    readOrder: readSpotOrder,
    // Whoever sells holds less of what can lose its value.
    urgencyOf: ({ side }) => (side === 'sell' ? 'exit' : 'entry'),
    codes: spotCodes,
    onPlaced,
    onRefused: () => undefined,
  }
}

async function openClient(options: VenueOptions, site: Site, limits: Limits): Promise<binance> {
  const ccxt = await import('ccxt')
  const api = `${options.baseUrl}/api/v3`
  const { credentials } = options
  const client = new ccxt.binance({
    ...credentials,
    ...clientSettings,
    urls: { api: { public: api, private: api } },
    options: { ...clientOptions, fetchMarkets: { types: ['spot'] } },
  })
  return await readyClient(client, options, site, limits)
}

async function findOrder(client: binance, desk: Desk, ask: Ask, ref: OrderRef): Promise<VenueOrder> {
  const order = readSpotOrder(await ask(() => client.privateGetOrder(nameOf(ref))))
  if (!isTerminal(order) || isZero(order.filled)) return order
  try {
    const question = { symbol: ref.symbol, orderId: order.venueOrderId, limit: mostFills }
    const fills = z.array(z.unknown()).parse(await desk.ask(() => client.privateGetMyTrades(question)))
    return fills.length < mostFills ? { ...order, fee: feeOf(fills) } : order
  } catch {
    // The order is what was asked for; without its cost it is still the answer.
    return order
  }
}

const mostFills = 1000

/** Cancels an order, and with it the pair that it may belong to. */
async function removeOrder(desk: Desk, ref: OrderRef): Promise<VenueOrder | undefined> {
  const answer = await desk.send({ method: 'DELETE', path: '/api/v3/order', fields: nameOf(ref) })
  const list = OrderList.safeParse(answer)
  const orders = (list.success ? list.data.orderReports : [answer]).map(readSpotOrder)
  return orders.find(
    ({ venueOrderId, clientOrderId }) =>
      venueOrderId === ref.venueOrderId || clientOrderId === ref.clientOrderId,
  )
}

function nameOf({ symbol, venueOrderId, clientOrderId }: OrderRef): Record<string, string> {
  return venueOrderId === undefined
    ? { symbol, origClientOrderId: clientOrderId }
    : { symbol, orderId: venueOrderId }
}

/** What is held of the base coin stands for the position: it is what a sale can shrink. */
async function readAccount(
  client: binance,
  ask: Ask,
  market: Market | undefined,
  symbol: string,
): Promise<AccountReading> {
  const [account, book] = await Promise.all([
    ask(() => client.privateGetAccount()),
    ask(() => client.publicGetTickerBookTicker({ symbol })),
  ])
  const holdings = SpotAccount.parse(account).balances.map(({ asset, free, locked }) => ({
    coin: asset,
    total: add(free, locked),
    free,
  }))
  const held = (coin: string | undefined) => holdings.find((holding) => holding.coin === coin)
  const { bidPrice, askPrice } = BookTicker.parse(book)
  const [base, quote] = [held(market?.base), held(market?.quote)]
  return {
    coin: market?.quote ?? 'USDT',
    holdings,
    equity: add(quote?.total ?? '0', multiply(base?.total ?? '0', bidPrice)),
    available: quote?.free ?? '0',
    position: base?.total ?? '0',
    entryPrice: null,
    unrealizedPnl: '0',
    settings: null,
    bid: bidPrice,
    ask: askPrice,
    mark: bidPrice,
  }
}
