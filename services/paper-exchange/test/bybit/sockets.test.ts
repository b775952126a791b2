import { expect } from '@jest/globals'
import type { WebsocketAPIClient } from 'bybit-api'
import { contract, eventually, type Operation, type Refusal, type World } from '../contract/suite.ts'
import { CCXT_PRO, type CcxtPro, listen, SDK_TRADE } from './clients.ts'
import { ASK, BID, BTC, KINDS, type Kind, nextId } from './kinds.ts'

type ProRow = Operation<CcxtPro>

async function quiet(client: CcxtPro, { symbol }: Kind, price = 58_000): Promise<string> {
  return `${(await client.createOrder(symbol, 'limit', 'buy', 0.01, price)).id}`
}

function pro(kind: Kind): ProRow[] {
  const { symbol } = kind
  const on = (name: string): string => `${kind.category}: ${name}`
  return [
    {
      name: on('watchOrders receives a new order, its fill and a cancel'),
      call: async (client, { pin }) => {
        const first = client.watchOrders(symbol)
        await eventually(
          () => Object.keys(client.clients),
          (urls) => urls.length > 0,
        )
        const seen: string[] = []
        const subscribe = async (): Promise<void> => {
          for (const order of await client.watchOrders(symbol)) seen.push(`${order.status} ${order.filled}`)
        }
        await subscribed(client)
        const id = await quiet(client, kind)
        for (const order of await first) seen.push(`${order.status} ${order.filled}`)
        const next = subscribe()
        await pin(BTC, { bid: '57999.8', ask: '57999.9' })
        await next
        const last = subscribe()
        await client.cancelOrder(await quiet(client, kind, 57_000), symbol)
        await last
        return { first: seen[0], filled: seen.includes('closed 0.01'), id: typeof id }
      },
      gives: { first: 'open 0', filled: true, id: 'string' },
    },
    {
      name: on('watchMyTrades receives an execution'),
      call: async (client) => {
        const trades = client.watchMyTrades(symbol)
        await subscribed(client)
        await client.createOrder(symbol, 'market', 'buy', 0.01)
        return await trades
      },
      gives: [
        {
          symbol,
          side: 'buy',
          price: ASK,
          amount: 0.01,
          takerOrMaker: 'taker',
          fee: { currency: kind.feeCoin },
        },
      ],
    },
    {
      name: on('watchBalance receives the changes of a trade'),
      call: async (client) => {
        const balance = client.watchBalance()
        await subscribed(client)
        await client.createOrder(symbol, 'market', 'buy', 0.01)
        const { USDT } = (await balance) as unknown as { USDT: { total: number } }
        return { isLess: USDT.total < 100_000 }
      },
      gives: { isLess: true },
    },
    {
      name: on('orders are placed, amended and canceled over the socket'),
      call: async (client) => {
        const clientOrderId = nextId()
        const placed = await client.createOrderWs(symbol, 'limit', 'buy', 0.01, 58_000, { clientOrderId })
        const amended = await client.editOrderWs(`${placed.id}`, symbol, 'limit', 'buy', 0.02, 58_500)
        const order = await client.fetchOrder(`${placed.id}`, symbol, { acknowledged: true })
        const canceled = await client.cancelOrderWs(`${placed.id}`, symbol)
        const same =
          placed.id === amended.id && placed.id === canceled.id && placed.clientOrderId === clientOrderId
        return { order, same, left: await client.fetchOpenOrders(symbol) }
      },
      gives: { same: true, order: { price: 58_500, amount: 0.02, status: 'open' }, left: [] },
    },
    {
      name: on('tickers, books and trades are watched'),
      call: async (client, { pin }) => {
        const [ticker, book] = [await client.watchTicker(symbol), await client.watchOrderBook(symbol, 50)]
        const before = { bid: book.bids[0]?.[0], ask: book.asks[0]?.[0] }
        const [moved, trades] = [client.watchOrderBook(symbol, 50), client.watchTrades(symbol)]
        await subscribed(client)
        await pin(BTC, { bid: '61000.0', ask: '61000.2' })
        const after = await moved
        await client.createOrder(symbol, 'market', 'buy', 0.01)
        const [trade] = await trades
        return { ticker, before, after: { bid: after.bids[0]?.[0], ask: after.asks[0]?.[0] }, trade }
      },
      gives: {
        ticker: { symbol, last: expect.any(Number) },
        before: { bid: BID, ask: ASK },
        after: { bid: 61_000, ask: 61_000.2 },
        trade: { symbol, side: 'buy', amount: 0.01, price: 61_000.2 },
      },
    },
    {
      name: on('the best bid and ask are watched'),
      call: async (client) => (await client.watchBidsAsks([symbol]))[symbol],
      gives: { bid: BID, ask: ASK },
    },
  ]
}

// Until every subscription that is on its way has been answered: the venue sends nothing of what came before.
async function subscribed(client: CcxtPro): Promise<void> {
  await eventually(
    () => Object.values(client.clients),
    (clients) => clients.length > 0 && clients.every((one) => one.isOpen() && isAsking(one)),
  )
  for (const one of Object.values(client.clients)) await pinged(one)
}

// A private stream asks for its topics only once it is let in.
function isAsking({ subscriptions }: CcxtPro['clients'][string]): boolean {
  return Object.keys(subscriptions).some((name) => name !== 'authenticated')
}

// An answered ping proves that everything sent before it has been read.
async function pinged(one: CcxtPro['clients'][string]): Promise<void> {
  const before = one.lastPong ?? 0
  await one.send({ op: 'ping', req_id: nextId() })
  await eventually(
    () => one.lastPong ?? 0,
    (pong) => pong > before,
  )
}

const LINEAR = KINDS[0] as Kind

const positions: ProRow[] = [
  {
    name: 'linear: watchPositions receives a position that opens',
    call: async (client) => {
      client.options['watchPositions'] = { fetchPositionsSnapshot: false, awaitPositionsSnapshot: false }
      const received = client.watchPositions([LINEAR.symbol])
      await subscribed(client)
      await client.createOrder(LINEAR.symbol, 'market', 'buy', 0.01)
      return await received
    },
    gives: [{ symbol: LINEAR.symbol, side: 'long', contracts: 0.01, entryPrice: ASK, leverage: 10 }],
  },
]

const refusedPro: Refusal<CcxtPro>[] = [
  {
    ...{ code: 110007, name: 'more than the margin allows', as: 'InsufficientFunds' },
    call: async (client) => await client.createOrderWs(LINEAR.symbol, 'market', 'buy', 400),
  },
  {
    ...{ code: 170131, name: 'more than the balance allows', as: 'InsufficientFunds' },
    call: async (client) => await client.createOrderWs('BTC/USDT', 'limit', 'buy', 10, 59_000),
  },
  {
    ...{ code: 110001, name: 'a cancel of an unknown order', as: 'OrderNotFound' },
    call: async (client) => await client.cancelOrderWs('nope', LINEAR.symbol),
  },
  {
    ...{ code: 170213, name: 'an amendment of an unknown order', as: 'OrderNotFound' },
    call: async (client) => await client.editOrderWs('nope', 'BTC/USDT', 'limit', 'buy', 1, 59_000),
  },
]

contract(CCXT_PRO, [...KINDS.flatMap(pro), ...positions], refusedPro)

const ORDER = { symbol: BTC, side: 'Buy', orderType: 'Limit', qty: '0.01', price: '58000' } as const

function entry({ category }: Kind): Operation<WebsocketAPIClient>[] {
  return [
    {
      name: `${category}: an order is placed, amended and canceled, and each answer shows the rest of the limit`,
      call: async (client) => {
        const placed = await client.submitNewOrder({ category, ...ORDER })
        const { orderId } = placed.data
        const amended = await client.amendOrder({ category, symbol: BTC, orderId, price: '58500' })
        const canceled = await client.cancelOrder({ category, symbol: BTC, orderId })
        const same = amended.data.orderId === orderId && canceled.data.orderId === orderId
        return { placed, same }
      },
      gives: {
        same: true,
        placed: {
          ...{ retCode: 0, retMsg: 'OK', op: 'order.create', data: { orderLinkId: '' } },
          header: { 'X-Bapi-Limit': category === 'spot' ? '20' : '10' },
        },
      },
    },
    {
      name: `${category}: batches over the socket`,
      call: async (client) => {
        const placed = await client.batchSubmitOrders(category as 'linear', [
          { ...ORDER },
          { ...ORDER, price: '57000' },
        ])
        const ids = placed.data.list.map(({ orderId }) => ({ symbol: BTC, orderId }))
        const amended = await client.batchAmendOrder(
          category as 'linear',
          ids.map((one) => ({ ...one, qty: '0.02' })),
        )
        const canceled = await client.batchCancelOrder(category as 'linear', ids)
        return { placed: ids.length, amended: amended.retExtInfo, canceled: canceled.retExtInfo }
      },
      gives: {
        placed: 2,
        amended: { list: [{ code: 0 }, { code: 0 }] },
        canceled: { list: [{ code: 0 }, { code: 0 }] },
      },
    },
  ]
}

async function receivesAll(world: World, kind: Kind, client: WebsocketAPIClient) {
  const topics = ['order', 'execution', 'wallet', 'position']
  const stream = await listen(world, '/v5/private', kind.category, topics)
  try {
    await client.submitNewOrder({ category: kind.category, ...ORDER, price: '60100' })
    const due = topics.filter((topic) => topic !== 'position' || kind.category === 'linear')
    await eventually(
      () => stream.received.map(({ topic }) => topic),
      (received) => due.every((topic) => received.includes(topic)),
    )
    const orders = stream.received.filter(({ topic }) => topic === 'order')
    return { statuses: orders.map(({ data }) => (data as { orderStatus: string }[])[0]?.orderStatus), orders }
  } finally {
    stream.close()
  }
}

const streams: Operation<WebsocketAPIClient>[] = KINDS.map((kind) => ({
  name: `${kind.category}: the private stream sends order, execution, wallet and position`,
  call: async (client, world) => await receivesAll(world, kind, client),
  gives: {
    statuses: ['New', 'Filled'],
    orders: [
      { data: [{ category: kind.category }] },
      { data: [{ cumExecValue: '600.001', leavesValue: '0' }] },
    ],
  },
}))

// Subscriptions to a category's public topics.
const open: Operation<WebsocketAPIClient>[] = KINDS.map(({ category }) => ({
  name: `${category}: the public stream sends tickers, books and trades`,
  call: async (client, world) => {
    const topics = [`tickers.${BTC}`, `orderbook.50.${BTC}`, `publicTrade.${BTC}`]
    const stream = await listen(world, `/v5/public/${category}`, category, topics)
    try {
      await client.submitNewOrder({ category, ...ORDER, price: '60100' })
      const received = await eventually(
        () => topics.map((topic) => stream.received.find((one) => one.topic === topic)),
        (found) => found.every((one) => one !== undefined),
      )
      return { received }
    } finally {
      stream.close()
    }
  },
  gives: {
    received: [
      { data: { symbol: BTC } },
      { type: 'snapshot', data: { s: BTC, u: 1 } },
      { type: 'snapshot', data: [{ s: BTC, S: 'Buy', p: '60000.10' }] },
    ],
  },
}))

const refusedTrade: Refusal<WebsocketAPIClient>[] = [
  {
    ...{ code: 110007, name: 'more than the margin allows', says: 'ab not enough for new order' },
    call: async (client) => await client.submitNewOrder({ category: 'linear', ...ORDER, qty: '400' }),
  },
  {
    ...{ code: 110072, name: 'a link id that was used before' },
    call: async (client) => {
      const orderLinkId = nextId()
      for (const qty of ['0.01', '0.02']) {
        await client.submitNewOrder({ category: 'linear', ...ORDER, qty, orderLinkId })
      }
    },
  },
  {
    ...{ code: 170213, name: 'a cancel of an unknown order', says: 'Order does not exist.' },
    call: async (client) => await client.cancelOrder({ category: 'spot', symbol: BTC, orderId: '1' }),
  },
]

contract(SDK_TRADE, [...KINDS.flatMap(entry), ...streams, ...open], refusedTrade)
