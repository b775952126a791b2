import type { binanceusdm, Exchange } from 'ccxt'
import type { AccountReading } from '../../domain/account.ts'
import type { OrderPlan } from '../../domain/order.ts'
import type { OpenedVenue, VenueOptions } from '../venue.ts'
import { BookTicker, readMarket } from './answers.ts'
import { lookUp, readWith } from './ask.ts'
import { clientOptions, clientSettings, readyClient } from './client.ts'
import { futuresCodes } from './codes.ts'
import { FuturesAccount, Positions, PremiumIndex, readFuturesOrder } from './futures-answers.ts'
import { createPlace } from './place.ts'

/** A warm client of one Binance USDⓈ-M account; the address is what stands before `/fapi`. */
export async function openBinanceFutures(options: VenueOptions): Promise<OpenedVenue> {
  const client = await openClient(options)
  const markets = new Map(
    Object.values(client.markets ?? {}).map((market) => {
      const read = readMarket(market?.info, 'linear')
      return [read.symbol, read] as const
    }),
  )
  const symbols = [...markets.keys()]
  const entry = {
    url: new URL(`${options.baseUrl}/fapi/v1/order`),
    fieldsOf: futuresFields,
    readOrder: readFuturesOrder,
    codes: futuresCodes,
  }
  return {
    client,
    venue: {
      market: (symbol) => markets.get(symbol),
      symbols: () => symbols,
      place: createPlace(entry, options),
      lookUp: async ({ symbol, clientOrderId }) => {
        const answer = client.fapiPrivateGetOrder({ symbol, origClientOrderId: clientOrderId })
        return await lookUp(answer, readFuturesOrder)
      },
      cancel: async () => ({ outcome: 'unknown', cause: 'not asked' }),
      openOrders: async () => ({ outcome: 'unreachable', cause: 'not asked' }),
      changeSettings: async () => ({ outcome: 'unknown', cause: 'not asked' }),
      read: async (symbol) => {
        const quote = markets.get(symbol)?.quote ?? 'USDT'
        return await readWith(
          askAccount(client, symbol),
          (answers) => readAccount(quote, symbol, answers),
          futuresCodes,
        )
      },
    },
  }
}

/** The fields of an order as USDⓈ-M's POST order takes them. */
export function futuresFields(order: OrderPlan): Record<string, string> {
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

async function openClient({ baseUrl, credentials, connections, parent }: VenueOptions): Promise<binanceusdm> {
  // On first use only: the library takes a third of a second to load.
  const ccxt = await import('ccxt')
  const urls = { api: futuresUrls(baseUrl) }
  const client = new ccxt.binanceusdm({ ...credentials, ...clientSettings, urls, options: clientOptions })
  return await readyClient(client, connections, parent as Exchange | undefined)
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

async function askAccount(client: binanceusdm, symbol: string): Promise<readonly unknown[]> {
  return await Promise.all([
    client.fapiPrivateV3GetAccount(),
    client.fapiPrivateV3GetPositionRisk({ symbol }),
    client.fapiPublicGetTickerBookTicker({ symbol }),
    client.fapiPublicGetPremiumIndex({ symbol }),
  ])
}

function readAccount(coin: string, symbol: string, answers: readonly unknown[]): AccountReading {
  const [account, positions, book, premium] = answers
  const { assets } = FuturesAccount.parse(account)
  const asset = assets.find((candidate) => candidate.asset === coin)
  const position = Positions.parse(positions).find((candidate) => candidate.symbol === symbol)
  const { bidPrice, askPrice } = BookTicker.parse(book)
  const isFlat = position === undefined || /^-?0*\.?0*$/.test(position.positionAmt)
  return {
    coin,
    holdings: assets.map(({ asset: name, walletBalance, availableBalance }) => ({
      coin: name,
      total: walletBalance,
      free: availableBalance,
    })),
    equity: asset?.marginBalance ?? '0',
    available: asset?.availableBalance ?? '0',
    position: isFlat ? '0' : position.positionAmt,
    entryPrice: isFlat ? null : position.entryPrice,
    unrealizedPnl: position?.unRealizedProfit ?? '0',
    bid: bidPrice,
    ask: askPrice,
    settings: null,
    mark: PremiumIndex.parse(premium).markPrice,
  }
}
