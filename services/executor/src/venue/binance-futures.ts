import type { Credentials } from '@tripline/proto/user-config'
import type { binanceusdm } from 'ccxt'
import type { AccountReading } from '../domain/account.ts'
import { receiveWindowMs } from '../domain/doubt.ts'
import type { Market } from '../domain/market.ts'
import type { LookUp, OrderPlan, Placement, Reading } from '../domain/order.ts'
import { Account, BookTicker, Positions, PremiumIndex, readMarket, readOrder } from './binance-answers.ts'
import { leavesOpen, meaningOf, orderAbsent, refusalIn } from './binance-codes.ts'
import type { VenueConnections } from './dispatcher.ts'
import { postForm } from './post-form.ts'
import { createSigner } from './signer.ts'
import type { Venue } from './venue.ts'
import { withDeadline } from './with-deadline.ts'

// Longer than the receive window: an answer that comes later is the exception, and is looked up.
const orderDeadlineMs = 4000
const readDeadlineMs = 5000

/** Where the venue is, and how a request is permitted at the moment it is signed. */
export interface BinanceFuturesOptions {
  /** The address before `/fapi`. */
  baseUrl: string
  credentials: Credentials
  connections: VenueConnections
  /** The markets of the venue, loaded once for all accounts. */
  parent: binanceusdm | undefined
  /** Asked where an order is signed: false withholds it. */
  mayPlace: () => boolean
}

/** A warm client of one Binance USDⓈ-M account, and the library instance that others may share markets with. */
export async function openBinanceFutures(
  options: BinanceFuturesOptions,
): Promise<{ venue: Venue; client: binanceusdm }> {
  const client = await openClient(options)
  const markets = new Map(
    Object.values(client.markets ?? {}).map((market): [string, Market] => {
      const read = readMarket(market?.info)
      return [read.symbol, read]
    }),
  )
  const symbols = [...markets.keys()]
  const venue: Venue = {
    market: (symbol) => markets.get(symbol),
    symbols: () => symbols,
    place: createPlace(options),
    lookUp: async (symbol, clientOrderId) => await lookUp(client, symbol, clientOrderId),
    read: async (symbol) => await read(client, markets.get(symbol)?.quote ?? 'USDT', symbol),
  }
  return { venue, client }
}

async function openClient({
  baseUrl,
  credentials,
  connections,
  parent,
}: BinanceFuturesOptions): Promise<binanceusdm> {
  // On first use only: the library takes a third of a second to load.
  const ccxt = await import('ccxt')
  const client = new ccxt.binanceusdm({
    apiKey: credentials.apiKey,
    secret: credentials.secret,
    // Its limiter delays every order by 200 ms, even on an idle client.
    enableRateLimit: false,
    timeout: readDeadlineMs,
    urls: { api: futuresUrls(baseUrl) },
    options: {
      fetchCurrencies: false,
      fetchMargins: false,
      recvWindow: receiveWindowMs,
      maxRetriesOnFailure: 0,
    },
  })
  await client.loadFetchImplementation()
  client.fetchDispatcher = connections.dispatcher
  if (parent === undefined) await client.loadMarkets()
  else client.setMarketsFromExchange(parent)
  return client
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

function createPlace({ baseUrl, credentials, connections, mayPlace }: BinanceFuturesOptions): Venue['place'] {
  const url = new URL(`${baseUrl}/fapi/v1/order`)
  const sign = createSigner(credentials, receiveWindowMs)
  return async (order, onSent) => {
    if (!mayPlace()) return { outcome: 'withheld' }
    const stopListening = connections.onOrderSent(order.clientOrderId, onSent)
    try {
      const posting = postForm(
        connections.dispatcher,
        url,
        sign(orderFields(order), Date.now()),
        orderDeadlineMs,
      )
      return { outcome: 'done', order: readOrder(await withDeadline(posting, orderDeadlineMs)) }
    } catch (error) {
      return placementOf(error)
    } finally {
      stopListening()
    }
  }
}

/** The fields of an order as the venue's POST order takes them. */
export function orderFields(order: OrderPlan): Record<string, string> {
  return {
    symbol: order.symbol,
    side: order.side.toUpperCase(),
    type: 'MARKET',
    quantity: order.quantity,
    newClientOrderId: order.clientOrderId,
    newOrderRespType: 'RESULT',
    ...(order.reduceOnly ? { reduceOnly: 'true' } : {}),
  }
}

function placementOf(error: unknown): Placement {
  const refusal = refusalIn(error)
  if (refusal !== undefined && !leavesOpen(refusal)) return { outcome: 'refused', ...meaningOf(refusal) }
  return { outcome: 'unknown', cause: describe(error) }
}

async function lookUp(client: binanceusdm, symbol: string, clientOrderId: string): Promise<LookUp> {
  try {
    const answer = client.fapiPrivateGetOrder({ symbol, origClientOrderId: clientOrderId })
    return { outcome: 'found', order: readOrder(await withDeadline(answer, readDeadlineMs)) }
  } catch (error) {
    if (refusalIn(error)?.code === orderAbsent) return { outcome: 'absent' }
    return { outcome: 'unreachable', cause: describe(error) }
  }
}

async function read(client: binanceusdm, coin: string, symbol: string): Promise<Reading> {
  try {
    const answers = Promise.all([
      client.fapiPrivateV3GetAccount(),
      client.fapiPrivateV3GetPositionRisk({ symbol }),
      client.fapiPublicGetTickerBookTicker({ symbol }),
      client.fapiPublicGetPremiumIndex({ symbol }),
    ])
    return {
      outcome: 'read',
      account: readAccount(coin, symbol, await withDeadline(answers, readDeadlineMs)),
    }
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal !== undefined) return { outcome: 'refused', ...meaningOf(refusal) }
    return { outcome: 'unreachable', cause: describe(error) }
  }
}

function readAccount(coin: string, symbol: string, answers: readonly unknown[]): AccountReading {
  const [account, positions, book, premium] = answers
  const asset = Account.parse(account).assets.find((candidate) => candidate.asset === coin)
  const position = Positions.parse(positions).find((candidate) => candidate.symbol === symbol)
  const { bidPrice, askPrice } = BookTicker.parse(book)
  const isFlat = position === undefined || /^-?0*\.?0*$/.test(position.positionAmt)
  return {
    coin,
    wallet: asset?.walletBalance ?? '0',
    equity: asset?.marginBalance ?? '0',
    available: asset?.availableBalance ?? '0',
    position: isFlat ? '0' : position.positionAmt,
    entryPrice: isFlat ? null : position.entryPrice,
    unrealizedPnl: position?.unRealizedProfit ?? '0',
    bid: bidPrice,
    ask: askPrice,
    mark: PremiumIndex.parse(premium).markPrice,
  }
}

/** The cause without the request: library messages hold the whole URL, and with it the signature. */
function describe(error: unknown): string {
  const refusal = refusalIn(error)
  if (refusal !== undefined) return `${refusal.text} (${refusal.code})`
  if (!(error instanceof Error)) return 'unknown fault'
  return error.name === 'DeadlineError' ? error.message : error.name
}
