import { add, multiply } from '@tripline/proto/decimal'
import type { binance, Exchange } from 'ccxt'
import type { AccountReading } from '../../domain/account.ts'
import type { Market } from '../../domain/market.ts'
import type { OrderPlan } from '../../domain/order.ts'
import type { OpenedVenue, VenueOptions } from '../venue.ts'
import { BookTicker, readMarket } from './answers.ts'
import { lookUp, readWith } from './ask.ts'
import { clientOptions, clientSettings, readyClient } from './client.ts'
import { spotCodes } from './codes.ts'
import { createPlace } from './place.ts'
import { readSpotOrder, SpotAccount } from './spot-answers.ts'

/** A warm client of one Binance spot account; the address is what stands before `/api`. */
export async function openBinanceSpot(options: VenueOptions): Promise<OpenedVenue> {
  const client = await openClient(options)
  const markets = new Map(
    Object.values(client.markets ?? {}).map((market) => {
      const read = readMarket(market?.info, 'spot')
      return [read.symbol, read] as const
    }),
  )
  const symbols = [...markets.keys()]
  const entry = {
    url: new URL(`${options.baseUrl}/api/v3/order`),
    fieldsOf: spotFields,
    readOrder: readSpotOrder,
    codes: spotCodes,
  }
  return {
    client,
    venue: {
      market: (symbol) => markets.get(symbol),
      symbols: () => symbols,
      place: createPlace(entry, options),
      lookUp: async ({ symbol, clientOrderId }) => {
        const answer = client.privateGetOrder({ symbol, origClientOrderId: clientOrderId })
        return await lookUp(answer, readSpotOrder)
      },
      cancel: async () => ({ outcome: 'unknown', cause: 'not asked' }),
      openOrders: async () => ({ outcome: 'unreachable', cause: 'not asked' }),
      changeSettings: async () => ({ outcome: 'unknown', cause: 'not asked' }),
      read: async (symbol) =>
        await readWith(
          askAccount(client, symbol),
          (answers) => readAccount(markets.get(symbol), answers),
          spotCodes,
        ),
    },
  }
}

function spotFields(order: OrderPlan): Record<string, string> {
  const { quoteQuantity, quantity } = order
  return {
    symbol: order.symbol,
    side: order.side.toUpperCase(),
    type: 'MARKET',
    ...(quoteQuantity === undefined ? { quantity } : { quoteOrderQty: quoteQuantity }),
    newClientOrderId: order.clientOrderId,
    newOrderRespType: 'RESULT',
  }
}

async function openClient({ baseUrl, credentials, connections, parent }: VenueOptions): Promise<binance> {
  const ccxt = await import('ccxt')
  const api = `${baseUrl}/api/v3`
  const options = { ...clientOptions, fetchMarkets: { types: ['spot'] } }
  const urls = { api: { public: api, private: api } }
  const client = new ccxt.binance({ ...credentials, ...clientSettings, urls, options })
  return await readyClient(client, connections, parent as Exchange | undefined)
}

async function askAccount(client: binance, symbol: string): Promise<readonly unknown[]> {
  return await Promise.all([client.privateGetAccount(), client.publicGetTickerBookTicker({ symbol })])
}

/** What is held of the base coin stands for the position: it is what a sale can shrink. */
function readAccount(market: Market | undefined, answers: readonly unknown[]): AccountReading {
  const [account, book] = answers
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
    bid: bidPrice,
    ask: askPrice,
    settings: null,
    mark: bidPrice,
  }
}
