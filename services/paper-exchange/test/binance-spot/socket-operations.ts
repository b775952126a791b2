import { expect } from '@jest/globals'
import type { WebsocketAPIClient, WebsocketClient } from 'binance'
import { eventually, type Operation, type Refusal } from '../contract/suite.ts'
import type { CcxtPro } from './clients.ts'

const BTC = 'BTC/USDT'
const ASK = 60_000.1
const BID = 59_999.9
const BUY_LIMIT = ['limit', 'buy', 0.01, 59_000] as const
const named = (clientOrderId: string) => ({ newClientOrderId: clientOrderId })

/** ccxt's operations over sockets. */
export const PRO_OPERATIONS: readonly Operation<CcxtPro>[] = [
  {
    name: 'a market order over a socket',
    call: async (ccxt) => await ccxt.createOrderWs(BTC, 'market', 'buy', 0.01, undefined, named('tSocket')),
    gives: { status: 'closed', filled: 0.01, average: ASK, clientOrderId: 'tSocket', side: 'buy' },
  },
  {
    name: 'a limit order over a socket, found and canceled there',
    call: async (ccxt) => {
      const { id } = await ccxt.createOrderWs(BTC, ...BUY_LIMIT)
      const found = await ccxt.fetchOrderWs(`${id}`, BTC)
      const open = await ccxt.fetchOpenOrdersWs(BTC)
      const canceled = await ccxt.cancelOrderWs(`${id}`, BTC)
      return { found, open, canceled, same: found.id === id }
    },
    gives: {
      same: true,
      found: { status: 'open', price: 59_000, amount: 0.01 },
      open: [{ price: 59_000 }],
      canceled: { status: 'canceled' },
    },
  },
  {
    name: 'an order that is only tested over a socket',
    call: async (ccxt) => {
      await ccxt.createOrderWs(BTC, ...BUY_LIMIT, { test: true })
      return { open: await ccxt.fetchOpenOrdersWs(BTC) }
    },
    gives: { open: [] },
  },
  {
    name: 'an order in place of another over a socket',
    call: async (ccxt) => {
      const { id } = await ccxt.createOrderWs(BTC, ...BUY_LIMIT)
      return await ccxt.editOrderWs(`${id}`, BTC, 'limit', 'buy', 0.02, 58_500)
    },
    gives: { status: 'open', price: 58_500, amount: 0.02 },
  },
  {
    name: 'a cancel of everything over a socket',
    call: async (ccxt) => {
      await ccxt.createOrderWs(BTC, ...BUY_LIMIT)
      return await ccxt.cancelAllOrdersWs(BTC)
    },
    gives: [{ status: 'canceled', price: 59_000 }],
  },
  {
    name: 'the balance over a socket',
    // ccxt reads no spot balances from this answer of any server; it keeps it as it came.
    call: async (ccxt) => {
      const { info } = await ccxt.fetchBalanceWs()
      return { balances: info.balances.slice(0, 2) }
    },
    gives: {
      balances: [
        { asset: 'USDT', free: '100000.00000000', locked: '0.00000000' },
        { asset: 'BTC', free: '2.00000000', locked: '0.00000000' },
      ],
    },
  },
  {
    name: 'all orders and own trades over a socket',
    call: async (ccxt) => {
      await ccxt.createOrderWs(BTC, 'market', 'buy', 0.01)
      return { orders: await ccxt.fetchOrdersWs(BTC), trades: await ccxt.fetchMyTradesWs(BTC) }
    },
    gives: { orders: [{ status: 'closed' }], trades: [{ price: ASK, amount: 0.01, takerOrMaker: 'taker' }] },
  },
  {
    name: 'orders as they change',
    call: async (ccxt, { pin }) => {
      const seen: unknown[] = []
      await subscribed(ccxt)
      const watching = collect(async () => {
        seen.push(...(await ccxt.watchOrders(BTC)).map(({ status }) => status))
      })
      const { id } = await ccxt.createOrder(BTC, ...BUY_LIMIT)
      await eventually(
        () => seen.length,
        (length) => length >= 1,
      )
      await pin('BTCUSDT', { bid: '58999.8', ask: '58999.9' })
      await eventually(
        () => seen.length,
        (length) => length >= 2,
      )
      watching.stop()
      return { seen, last: ccxt.orders?.at(-1), same: ccxt.orders?.at(-1).id === id }
    },
    gives: {
      seen: ['open', 'closed'],
      same: true,
      last: {
        symbol: BTC,
        status: 'closed',
        filled: 0.01,
        average: 59_000,
        cost: 590,
        fee: { currency: 'BTC' },
      },
    },
  },
  {
    name: 'a canceled order under its own client id',
    call: async (ccxt) => {
      await subscribed(ccxt)
      const placed = ccxt.watchOrders(BTC)
      const { id } = await ccxt.createOrder(BTC, ...BUY_LIMIT, named('tWatched'))
      await placed
      const canceled = ccxt.watchOrders(BTC)
      await ccxt.cancelOrder(`${id}`, BTC)
      return (await canceled).at(-1)
    },
    gives: { status: 'canceled', clientOrderId: 'tWatched' },
  },
  {
    name: 'own trades as they happen',
    call: async (ccxt) => {
      await subscribed(ccxt)
      const trades = ccxt.watchMyTrades(BTC)
      await ccxt.createOrder(BTC, 'market', 'sell', 0.01)
      return await trades
    },
    gives: [
      {
        symbol: BTC,
        side: 'sell',
        price: BID,
        amount: 0.01,
        takerOrMaker: 'taker',
        fee: { currency: 'USDT' },
      },
    ],
  },
  {
    name: 'the balance as it changes',
    call: async (ccxt) => {
      await subscribed(ccxt)
      const balance = ccxt.watchBalance()
      await ccxt.createOrder(BTC, ...BUY_LIMIT)
      return await balance
    },
    gives: { USDT: { free: 99_410, used: 590, total: 100_000 } },
  },
  {
    name: 'the best bid and ask as they change',
    call: async (ccxt, { pin }) => {
      const first = await ccxt.watchBidsAsks([BTC])
      const next = ccxt.watchBidsAsks([BTC])
      await pin('BTCUSDT', { bid: '61000', ask: '61000.5' })
      return { first, next: await next }
    },
    gives: { first: { [BTC]: { bid: BID, ask: ASK } }, next: { [BTC]: { bid: 61_000, ask: 61_000.5 } } },
  },
  {
    name: 'a small ticker',
    call: async (ccxt) => await ccxt.watchTicker(BTC),
    gives: { symbol: BTC, last: 60_000, info: { e: '24hrMiniTicker' } },
  },
  {
    name: 'a ticker',
    call: async (ccxt) => await ccxt.watchTicker(BTC, { name: 'ticker' }),
    gives: { symbol: BTC, last: 60_000, bid: BID, ask: ASK },
  },
  {
    name: 'public trades as they happen',
    call: async (ccxt) => {
      const trades = ccxt.watchTrades(BTC)
      await eventually(
        () => Object.keys(ccxt.clients).length,
        (count) => count > 0,
      )
      const end = Date.now() + 5_000
      let seen: Awaited<typeof trades> | undefined
      trades.then((rows) => (seen = rows)).catch(() => (seen = []))
      while (!seen && Date.now() < end) {
        await ccxt.createOrder(BTC, 'market', 'buy', 0.01)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return seen?.at(-1)
    },
    gives: { symbol: BTC, side: 'buy', price: ASK, amount: 0.01 },
  },
  {
    name: 'an order book that follows the market',
    call: async (ccxt, { pin }) => {
      const book = await ccxt.watchOrderBook(BTC)
      const before = book.bids[0]?.[0]
      await pin('BTCUSDT', { bid: '61000', ask: '61000.5' })
      const after = await eventually(
        async () => (await ccxt.watchOrderBook(BTC)).bids[0]?.[0],
        (bid) => bid === 61_000,
      )
      return { before, after }
    },
    gives: { before: BID, after: 61_000 },
  },
]

// Watches again and again until it is stopped; what is thrown then no longer matters.
function collect(watch: () => Promise<unknown>) {
  let isOver = false
  const loop = async () => {
    while (!isOver) await watch()
  }
  loop().catch(() => {})
  return {
    stop: () => {
      isOver = true
    },
  }
}

async function subscribed(ccxt: CcxtPro): Promise<void> {
  await ccxt.loadMarkets()
  await ccxt.authenticate({ type: 'spot' })
}

/** Refusals of ccxt over sockets. */
export const PRO_REFUSALS: readonly Refusal<CcxtPro>[] = [
  {
    name: 'more than the balance pays',
    code: -2010,
    call: async (ccxt) => await ccxt.createOrderWs(BTC, 'market', 'buy', 5),
    says: 'Account has insufficient balance for requested action.',
    as: 'InsufficientFunds',
  },
  {
    name: 'a client id by a name that the venue does not know',
    code: -1104,
    call: async (ccxt) => await ccxt.createOrderWs(BTC, ...BUY_LIMIT, { clientOrderId: 'tLeaked' }),
    as: 'BadRequest',
  },
  {
    name: 'an order that does not exist',
    code: -2013,
    call: async (ccxt) => await ccxt.fetchOrderWs('1', BTC),
    as: 'OrderNotFound',
  },
  {
    name: 'a cancel of an order that does not exist',
    code: -2011,
    call: async (ccxt) => await ccxt.cancelOrderWs('1', BTC),
    as: 'OrderNotFound',
  },
  {
    name: 'a wrong secret',
    code: -1022,
    call: async (ccxt) => {
      ccxt.secret = 'other'
      return await ccxt.fetchBalanceWs()
    },
    as: 'AuthenticationError',
  },
  {
    name: 'a subscription with a wrong secret',
    code: -1022,
    call: async (ccxt) => {
      ccxt.secret = 'other'
      return await ccxt.watchOrders(BTC)
    },
    as: 'AuthenticationError',
  },
]

const at = () => ({ timestamp: Date.now() })
const SDK_LIMIT = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.01',
  price: '59000',
} as const

/** The SDK's operations over a socket. */
export const SDK_SOCKET_OPERATIONS: readonly Operation<WebsocketAPIClient>[] = [
  {
    name: 'the time with the used part of the limits',
    call: async (sdk) => await sdk.getSpotServerTime(),
    gives: {
      status: 200,
      result: { serverTime: expect.any(Number) },
      rateLimits: [{ rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 6_000 }],
    },
  },
  {
    name: 'the best prices',
    call: async (sdk) => await sdk.getSpotSymbolOrderBookTicker({ symbol: 'BTCUSDT' }),
    gives: { result: { bidPrice: '59999.90000000', askPrice: '60000.10000000' } },
  },
  {
    name: 'the rules of chosen symbols',
    call: async (sdk) => {
      const { result } = await sdk.getSpotExchangeInfo({ symbols: ['BTCUSDT', 'ETHUSDT'] })
      return result.symbols.map(({ symbol }) => ({ symbol }))
    },
    gives: [{ symbol: 'BTCUSDT' }, { symbol: 'ETHUSDT' }],
  },
  {
    name: 'an order, its state and its cancel',
    call: async (sdk) => {
      const { result, rateLimits } = await sdk.submitNewSpotOrder({ ...SDK_LIMIT, ...at() })
      const orderId = { symbol: 'BTCUSDT', orderId: Number(result.orderId) }
      const found = await sdk.getSpotOrderStatus({ ...orderId, ...at() })
      const canceled = await sdk.cancelSpotOrder({ ...orderId, ...at() })
      return { result, rateLimits, found: found.result, canceled: canceled.result }
    },
    gives: {
      result: { status: 'NEW', price: '59000.00000000', fills: [] },
      rateLimits: [
        { rateLimitType: 'ORDERS', interval: 'SECOND', limit: 100, count: 1 },
        { rateLimitType: 'ORDERS', interval: 'DAY', limit: 200_000, count: 1 },
        { rateLimitType: 'REQUEST_WEIGHT' },
      ],
      found: { status: 'NEW', isWorking: true },
      canceled: { status: 'CANCELED' },
    },
  },
  {
    name: 'an OCO, its state and its cancel',
    call: async (sdk) => {
      const placed = await sdk.placeSpotOCOOrderList({
        symbol: 'BTCUSDT',
        side: 'SELL',
        quantity: '0.01',
        aboveType: 'LIMIT_MAKER',
        abovePrice: '65000',
        belowType: 'STOP_LOSS',
        belowStopPrice: '55000',
        ...at(),
      })
      const { orderListId } = placed.result
      const canceled = await sdk.cancelSpotOrderList({ symbol: 'BTCUSDT', orderListId, ...at() })
      return { placed: placed.result, canceled: canceled.result }
    },
    gives: { placed: { listOrderStatus: 'EXECUTING' }, canceled: { listOrderStatus: 'ALL_DONE' } },
  },
  {
    name: 'the account',
    call: async (sdk) => (await sdk.getSpotAccountInformation(at())).result,
    gives: { accountType: 'SPOT', canTrade: true },
  },
  {
    name: 'the events of an account, wrapped with their subscription',
    call: async (sdk) => {
      const events: unknown[] = []
      sdk.getWSClient().on('message', (message) => events.push(message))
      const { result } = (await sdk.subscribeUserDataStream('mainWSAPI')) as { result: unknown }
      await sdk.submitNewSpotOrder({
        ...SDK_LIMIT,
        type: 'MARKET',
        timeInForce: undefined,
        price: undefined,
        ...at(),
      } as never)
      await eventually(
        () => events.length,
        (length) => length >= 3,
      )
      return { result, events: events.map((message) => kindOf(message)) }
    },
    gives: {
      result: { subscriptionId: 0 },
      events: expect.arrayContaining(['NEW', 'TRADE', 'outboundAccountPosition']),
    },
  },
]

function kindOf(message: unknown): unknown {
  const { event = message } = message as { event?: { e?: string; x?: string } }
  const { e, x } = event as { e?: string; x?: string }
  return x ?? e
}

async function firstOf(client: WebsocketClient, topic: string): Promise<unknown> {
  const seen: unknown[] = []
  client.on('formattedMessage', (message) => seen.push(message))
  client.on('exception', () => {})
  await client.subscribe(topic, 'main')
  const events = () => seen.flatMap((one) => (Array.isArray(one) ? one : [one])).filter(isEvent)
  return (await eventually(events, (found) => found.length > 0))[0]
}

function isEvent(message: unknown): boolean {
  return typeof message === 'object' && message !== null && ('eventType' in message || 'symbol' in message)
}

/** The SDK's streams. */
export const SDK_STREAM_OPERATIONS: readonly Operation<WebsocketClient>[] = [
  {
    name: 'the best prices',
    call: async (client) => await firstOf(client, 'btcusdt@bookTicker'),
    gives: { symbol: 'BTCUSDT', bidPrice: BID, askPrice: ASK },
  },
  {
    name: 'a ticker',
    call: async (client) => await firstOf(client, 'btcusdt@ticker'),
    gives: { eventType: '24hrTicker', symbol: 'BTCUSDT', currentClose: 60_000, bestBid: BID },
  },
  {
    name: 'a small ticker',
    call: async (client) => await firstOf(client, 'btcusdt@miniTicker'),
    gives: { eventType: '24hrMiniTicker', symbol: 'BTCUSDT', close: 60_000 },
  },
]
