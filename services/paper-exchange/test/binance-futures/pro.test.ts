import { expect } from '@jest/globals'
import { contract, eventually, type Operation } from '../contract/suite.ts'
import { CCXT_PRO, type CcxtPro } from './clients.ts'

const BTC = 'BTC/USDT:USDT'
// The state of a socket that is open.
const OPEN = 1

type Row = Operation<CcxtPro>

const requests: Row[] = [
  {
    name: 'order',
    call: async (ccxt) =>
      await ccxt.createOrderWs(BTC, 'market', 'buy', 0.01, undefined, { newClientOrderId: 'pMarket' }),
    gives: { status: 'closed', filled: 0.01, clientOrderId: 'pMarket' },
  },
  {
    name: 'edited order',
    call: async (ccxt) => {
      const { id } = await ccxt.createOrderWs(BTC, 'limit', 'buy', 0.01, 59_000)
      return await ccxt.editOrderWs(`${id}`, BTC, 'limit', 'buy', 0.02, 58_000)
    },
    gives: { status: 'open', amount: 0.02, price: 58_000 },
  },
  {
    name: 'canceled order',
    call: async (ccxt) => {
      const { id } = await ccxt.createOrderWs(BTC, 'limit', 'buy', 0.01, 59_000)
      return await ccxt.cancelOrderWs(`${id}`, BTC)
    },
    gives: { status: 'canceled' },
  },
  {
    name: 'order read',
    call: async (ccxt) => {
      const { id } = await ccxt.createOrderWs(BTC, 'limit', 'buy', 0.01, 59_000)
      return await ccxt.fetchOrderWs(`${id}`, BTC)
    },
    gives: { status: 'open', price: 59_000 },
  },
  {
    name: 'conditional order',
    call: async (ccxt) =>
      await ccxt.createOrderWs(BTC, 'market', 'sell', 0.01, undefined, {
        triggerPrice: 58_000,
        clientAlgoId: 'pStop',
      }),
    gives: { status: 'open', triggerPrice: 58_000, clientOrderId: 'pStop' },
  },
  {
    name: 'conditional order canceled',
    call: async (ccxt) => {
      const { id } = await ccxt.createOrderWs(BTC, 'market', 'sell', 0.01, undefined, {
        triggerPrice: 58_000,
      })
      return (await ccxt.cancelOrderWs(`${id}`, BTC, { trigger: true })).info
    },
    gives: { code: '200' },
  },
  {
    name: 'balance',
    call: async (ccxt) => await ccxt.fetchBalanceWs({ type: 'future' }),
    gives: { USDT: { total: 100_000 } },
  },
  {
    name: 'positions',
    call: async (ccxt) => {
      await ccxt.createOrderWs(BTC, 'market', 'buy', 0.01)
      return await ccxt.fetchPositionsWs([BTC])
    },
    gives: [{ symbol: BTC, contracts: 0.01, side: 'long' }],
  },
  {
    name: 'positions, version 2',
    call: async (ccxt) => {
      await ccxt.createOrderWs(BTC, 'market', 'buy', 0.01)
      return await ccxt.fetchPositionsWs([BTC], { method: 'v2/account.position' })
    },
    gives: [{ symbol: BTC, contracts: 0.01 }],
  },
  {
    name: 'ticker over requests',
    call: async (ccxt) => await ccxt.fetchTickerWs(BTC),
    gives: { symbol: BTC, close: undefined },
  },
  {
    name: 'order book over requests',
    call: async (ccxt) => await ccxt.fetchOrderBookWs(BTC, 5),
    gives: { bids: expect.any(Array) },
  },
]

const streams: Row[] = [
  {
    name: 'ticker',
    call: async (ccxt) => await ccxt.watchTicker(BTC),
    gives: { symbol: BTC, last: expect.any(Number) },
  },
  {
    name: 'bids and asks',
    call: async (ccxt, { pin }) => {
      await ccxt.watchBidsAsks([BTC])
      const next = ccxt.watchBidsAsks([BTC])
      await pin('BTCUSDT', { bid: '60999.9', ask: '61000.1' })
      return await next
    },
    gives: { [BTC]: { bid: 60_999.9, ask: 61_000.1 } },
  },
  {
    name: 'mark price',
    call: async (ccxt) => await ccxt.watchMarkPrice(BTC),
    gives: { symbol: BTC, markPrice: 60_000, indexPrice: 60_000 },
  },
  {
    name: 'trades',
    call: async (ccxt) => {
      await ccxt.loadMarkets()
      const next = ccxt.watchTrades(BTC)
      const stop = setInterval(
        () => void ccxt.createOrder(BTC, 'market', 'buy', 0.01).catch(() => undefined),
        100,
      )
      try {
        return (await next).at(-1)
      } finally {
        clearInterval(stop)
      }
    },
    gives: { symbol: BTC, side: 'buy', price: 60_000.1, amount: 0.01 },
  },
  {
    name: 'order book',
    call: async (ccxt, { pin }) => {
      const first = ccxt.watchOrderBook(BTC)
      await first
      const next = ccxt.watchOrderBook(BTC)
      await pin('BTCUSDT', { bid: '60999.9', ask: '61000.1' })
      const book = await next
      return { bid: book.bids[0]?.[0], ask: book.asks[0]?.[0] }
    },
    gives: { bid: 60_999.9, ask: 61_000.1 },
  },
  {
    name: 'own orders',
    call: async (ccxt) => {
      const first = ccxt.watchOrders(BTC)
      await listening(ccxt)
      await ccxt.createOrder(BTC, 'limit', 'buy', 0.01, 59_000, { newClientOrderId: 'pOwn' })
      return await first
    },
    gives: [{ clientOrderId: 'pOwn', status: 'open', price: 59_000, amount: 0.01 }],
  },
  {
    name: 'own conditional orders',
    call: async (ccxt) => {
      const first = ccxt.watchOrders(BTC)
      await listening(ccxt)
      await ccxt.createOrder(BTC, 'market', 'sell', 0.01, undefined, {
        triggerPrice: 58_000,
        clientAlgoId: 'pAlgo',
      })
      return await first
    },
    gives: [{ clientOrderId: 'pAlgo', status: 'open', triggerPrice: 58_000 }],
  },
  {
    name: 'own trades',
    call: async (ccxt) => {
      const first = ccxt.watchMyTrades(BTC)
      await listening(ccxt)
      await ccxt.createOrder(BTC, 'market', 'buy', 0.01)
      return await first
    },
    gives: [
      {
        symbol: BTC,
        price: 60_000.1,
        amount: 0.01,
        side: 'buy',
        takerOrMaker: 'taker',
        fee: { cost: 0.3000005, currency: 'USDT' },
      },
    ],
  },
  {
    name: 'own positions',
    call: async (ccxt) => {
      // The first answer is how the positions stood, the next how they changed.
      await ccxt.watchPositions([BTC])
      const next = ccxt.watchPositions([BTC])
      await listening(ccxt)
      await ccxt.createOrder(BTC, 'market', 'buy', 0.01)
      return await next
    },
    gives: [{ symbol: BTC, contracts: 0.01, side: 'long', entryPrice: 60_000.1, marginMode: 'cross' }],
  },
  {
    name: 'own balance',
    call: async (ccxt) => {
      const first = ccxt.watchBalance({ type: 'future' })
      await listening(ccxt)
      await ccxt.createOrder(BTC, 'market', 'buy', 0.01)
      return await first
    },
    gives: { USDT: { total: expect.any(Number) } },
  },
]

// ccxt opens its connection in the background and gives no sign; an event sent before that is lost to it.
async function listening(ccxt: CcxtPro): Promise<void> {
  const isOpen = (url: string): boolean => ccxt.clients[url]?.connection?.readyState === OPEN
  await eventually(
    () => Object.keys(ccxt.clients).filter((url) => url.includes('/private/') && isOpen(url)),
    (urls) => urls.length > 0,
  )
}

contract(CCXT_PRO, [...requests, ...streams])
