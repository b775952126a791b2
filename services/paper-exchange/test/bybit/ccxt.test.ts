import type { Order } from 'ccxt'
import { contract, type Operation } from '../contract/suite.ts'
import { CCXT, CCXT_UNTUNED, type Ccxt } from './clients.ts'
import { ASK, BID, BTC, KINDS, type Kind, nextId } from './kinds.ts'

type Row = Operation<Ccxt>

const ACK = { acknowledged: true }

async function limit(client: Ccxt, { symbol }: Kind, price = 58_000, params: object = {}): Promise<Order> {
  return await client.createOrder(symbol, 'limit', 'buy', 0.01, price, params)
}

async function find(client: Ccxt, { symbol }: Kind, id: string): Promise<Order> {
  return await client.fetchOrder(id, symbol, ACK)
}

// Returns the rows that both categories share, once for each.
function shared(kind: Kind): Row[] {
  const { symbol, category } = kind
  const on = (name: string): string => `${category}: ${name}`
  return [
    {
      name: on('a market buy by quantity is filled at the ask'),
      call: async (client) => {
        const id = nextId()
        const placed = await client.createOrder(symbol, 'market', 'buy', 0.01, undefined, {
          clientOrderId: id,
        })
        const order = await find(client, kind, `${placed.id}`)
        return { placed: placed.id === order.id, tagged: order.clientOrderId === id, order }
      },
      gives: {
        placed: true,
        tagged: true,
        order: {
          symbol,
          type: 'market',
          side: 'buy',
          status: 'closed',
          filled: 0.01,
          average: ASK,
          cost: 600.001,
        },
      },
    },
    {
      name: on('a resting limit order shows in every list, and is gone when canceled'),
      call: async (client) => {
        const { id } = await limit(client, kind)
        const open = await client.fetchOpenOrders(symbol)
        const one = await client.fetchOpenOrder(`${id}`, symbol)
        await client.cancelOrder(`${id}`, symbol)
        const after = await find(client, kind, `${id}`)
        const canceled = await client.fetchCanceledOrders(symbol)
        return { open, one, after, canceled, left: await client.fetchOpenOrders(symbol) }
      },
      gives: {
        open: [
          { price: 58_000, amount: 0.01, remaining: 0.01, filled: 0, status: 'open', timeInForce: 'GTC' },
        ],
        one: { type: 'limit', side: 'buy', symbol },
        after: { status: 'canceled', filled: 0 },
        canceled: [{ status: 'canceled', price: 58_000 }],
        left: [],
      },
    },
    {
      name: on('an order is canceled and found by its link id'),
      call: async (client) => {
        const orderLinkId = nextId()
        await limit(client, kind, 58_000, { clientOrderId: orderLinkId })
        const [found] = await client.fetchOpenOrders(symbol, undefined, undefined, { orderLinkId })
        await client.cancelOrder(undefined as unknown as string, symbol, { orderLinkId })
        const [ended] = await client.fetchCanceledAndClosedOrders(symbol, undefined, undefined, {
          orderLinkId,
        })
        return { named: found?.clientOrderId === orderLinkId, ended }
      },
      gives: { named: true, ended: { status: 'canceled' } },
    },
    {
      name: on('the part that cannot be filled at once is canceled: immediate or cancel'),
      call: async (client) => {
        const { id } = await limit(client, kind, 58_000, { timeInForce: 'IOC' })
        return await find(client, kind, `${id}`)
      },
      gives: {
        status: 'canceled',
        filled: 0,
        timeInForce: 'IOC',
        info: { rejectReason: 'EC_NoImmediateQtyToFill' },
      },
    },
    {
      name: on('fill or kill takes all or nothing'),
      call: async (client) => {
        const taken = await limit(client, kind, 60_100, { timeInForce: 'FOK' })
        const killed = await limit(client, kind, 58_000, { timeInForce: 'FOK' })
        return [await find(client, kind, `${taken.id}`), await find(client, kind, `${killed.id}`)]
      },
      gives: [
        { status: 'closed', filled: 0.01, timeInForce: 'FOK' },
        { status: 'canceled', filled: 0 },
      ],
    },
    {
      name: on('post-only rests as a maker'),
      call: async (client) => {
        const { id } = await limit(client, kind, 58_000, { postOnly: true })
        return await find(client, kind, `${id}`)
      },
      gives: { status: 'open', timeInForce: 'PO', info: { timeInForce: 'PostOnly', orderStatus: 'New' } },
    },
    {
      name: on('a resting order is filled as maker at its own price when the market comes'),
      call: async (client, { pin }) => {
        const { id } = await limit(client, kind)
        await pin(BTC, { bid: '57999.8', ask: '57999.9' })
        const order = await find(client, kind, `${id}`)
        const [trade] = await client.fetchMyTrades(symbol)
        return { order, trade }
      },
      gives: {
        order: { status: 'closed', average: 58_000 },
        trade: { price: 58_000, amount: 0.01, takerOrMaker: 'maker', side: 'buy', symbol },
      },
    },
    {
      name: on('an amended order has the new price and quantity'),
      call: async (client) => {
        const { id } = await limit(client, kind)
        await client.editOrder(`${id}`, symbol, 'limit', 'buy', 0.02, 58_500)
        return await find(client, kind, `${id}`)
      },
      gives: { price: 58_500, amount: 0.02, status: 'open' },
    },
    {
      name: on('cancelAllOrders clears the symbol'),
      call: async (client) => {
        await limit(client, kind)
        await limit(client, kind, 57_000)
        const canceled = await client.cancelAllOrders(symbol)
        return { canceled: canceled.length, left: await client.fetchOpenOrders(symbol) }
      },
      gives: { canceled: 2, left: [] },
    },
    {
      name: on('several orders are placed, amended and canceled at once'),
      call: async (client) => {
        const one = { symbol, type: 'limit' as const, side: 'buy' as const, amount: 0.01 }
        const placed = await client.createOrders([
          { ...one, price: 58_000 },
          { ...one, price: 57_000 },
        ])
        const ids = placed.map(({ id }) => `${id}`)
        await client.editOrders(ids.map((id) => ({ ...one, id, price: 57_500 })))
        const prices = (await client.fetchOpenOrders(symbol)).map(({ price }) => price)
        const canceled = await client.cancelOrders(ids, symbol)
        return {
          prices,
          canceled: canceled.map(({ id }) => ids.includes(`${id}`)),
          left: await client.fetchOpenOrders(symbol),
        }
      },
      gives: { prices: [57_500, 57_500], canceled: [true, true], left: [] },
    },
    {
      name: on('in a batch each order is judged for itself'),
      call: async (client) => {
        const one = { symbol, type: 'limit' as const, side: 'buy' as const, price: 58_000 }
        return await client.createOrders([
          { ...one, amount: 0.01 },
          { ...one, amount: category === 'spot' ? 1_000 : 0.00001 + 5_000 },
        ])
      },
      gives: [{}, { status: 'rejected' }],
    },
    {
      name: on('trades carry price, fee and order'),
      call: async (client) => {
        const { id } = await client.createOrder(symbol, 'market', 'buy', 0.01)
        const trades = await client.fetchOrderTrades(`${id}`, symbol)
        return { trades, same: trades[0]?.order === id }
      },
      gives: {
        same: true,
        trades: [
          {
            ...{ symbol, side: 'buy', price: ASK, amount: 0.01, cost: 600.001, takerOrMaker: 'taker' },
            fee: { currency: kind.feeCoin, rate: kind.fee },
          },
        ],
      },
    },
    {
      name: on('closed orders are in the history'),
      call: async (client) => {
        const { id } = await client.createOrder(symbol, 'market', 'buy', 0.01)
        const order = await client.fetchClosedOrder(`${id}`, symbol)
        return { order, all: await client.fetchClosedOrders(symbol) }
      },
      gives: { order: { status: 'closed', filled: 0.01 }, all: [{ status: 'closed', average: ASK }] },
    },
    {
      name: on('prices, book, trades and candles'),
      call: async (client) => {
        await client.createOrder(symbol, 'market', 'buy', 0.01)
        const [ticker, tickers, book] = [
          await client.fetchTicker(symbol),
          await client.fetchTickers([symbol]),
          await client.fetchOrderBook(symbol, 5),
        ]
        const [trade] = await client.fetchTrades(symbol)
        const candles = await client.fetchOHLCV(symbol, '1m', undefined, 3)
        return {
          ticker,
          tickers,
          bid: book.bids[0]?.[0],
          ask: book.asks[0]?.[0],
          trade,
          candles: candles.length,
        }
      },
      gives: {
        ticker: { symbol, bid: BID, ask: ASK },
        tickers: { [symbol]: { symbol, bid: BID } },
        ...{ bid: BID, ask: ASK, candles: 3 },
        trade: { symbol, price: ASK, amount: 0.01, side: 'buy' },
      },
    },
    {
      name: on('the fee of the market'),
      call: async (client) => await client.fetchTradingFee(symbol),
      gives: { symbol, taker: kind.fee, maker: category === 'spot' ? 0.001 : 0.0002 },
    },
    {
      name: on('the ledger shows each fill'),
      call: async (client) => {
        await client.createOrder(symbol, 'market', 'buy', 0.01)
        return await client.fetchLedger('USDT')
      },
      gives: [{ currency: 'USDT', direction: 'out', type: 'trade' }],
    },
  ]
}

async function triggered(
  client: Ccxt,
  { symbol }: Kind,
  side: 'buy' | 'sell',
  params: object,
): Promise<unknown> {
  const { id } = await client.createOrder(symbol, 'market', side, 0.01, undefined, params)
  return await client.fetchOpenOrder(`${id}`, symbol, { trigger: true })
}

async function openOf(client: Ccxt, { symbol }: Kind): Promise<Order[]> {
  return await client.fetchOpenOrders(symbol, undefined, undefined, { trigger: true })
}

const [LINEAR, SPOT] = KINDS as readonly [Kind, Kind]

const linear: Row[] = [
  {
    name: 'linear: the market with its filters',
    call: async (client) => (await client.loadMarkets())[LINEAR.symbol],
    gives: {
      ...{ id: BTC, type: 'swap', linear: true, active: true, contractSize: 1, settle: 'USDT' },
      precision: { amount: 0.001, price: 0.1 },
      limits: { amount: { min: 0.001, max: 1190 }, cost: { min: 5 }, leverage: { max: 100 } },
    },
  },
  {
    name: 'linear: a position has its entry, leverage and profit, and is closed by reduce-only',
    call: async (client, { pin }) => {
      await client.createOrder(LINEAR.symbol, 'market', 'buy', 0.01)
      await pin(BTC, { bid: '60999.9', ask: '61000.1' })
      const [position] = await client.fetchPositions([LINEAR.symbol])
      const close = await client.createOrder(LINEAR.symbol, 'market', 'sell', 0.05, undefined, {
        reduceOnly: true,
      })
      const order = await find(client, LINEAR, `${close.id}`)
      const left = (await client.fetchPositions()).length
      const [history] = await client.fetchPositionsHistory([LINEAR.symbol])
      return { position, order, left, history }
    },
    gives: {
      position: {
        side: 'long',
        contracts: 0.01,
        entryPrice: ASK,
        leverage: 10,
        markPrice: 61_000,
        hedged: false,
      },
      order: { filled: 0.01, status: 'closed', reduceOnly: true },
      left: 0,
      history: { side: 'long', entryPrice: ASK, contracts: 0.01 },
    },
  },
  {
    name: 'linear: leverage, position mode and margin mode are set and read',
    call: async (client) => {
      await client.setLeverage(25, LINEAR.symbol)
      await client.setPositionMode(true, LINEAR.symbol)
      await client.setMarginMode('isolated')
      const leverage = await client.fetchLeverage(LINEAR.symbol)
      const mode = await client.fetchMarginMode(LINEAR.symbol)
      return { leverage, mode }
    },
    gives: { leverage: { longLeverage: 25, shortLeverage: 25 }, mode: { marginMode: 'isolated' } },
  },
  {
    name: 'linear: in hedge mode a long and a short stand beside each other',
    call: async (client) => {
      await client.setPositionMode(true, LINEAR.symbol)
      await client.createOrder(LINEAR.symbol, 'market', 'buy', 0.02, undefined, { hedged: true })
      await client.createOrder(LINEAR.symbol, 'market', 'sell', 0.01, undefined, { hedged: true })
      const before = await client.fetchPositions([LINEAR.symbol])
      const close = { hedged: true, reduceOnly: true }
      await client.createOrder(LINEAR.symbol, 'market', 'sell', 0.02, undefined, close)
      return { before, after: await client.fetchPositions() }
    },
    gives: {
      before: [
        { side: 'long', contracts: 0.02, hedged: true },
        { side: 'short', contracts: 0.01, hedged: true },
      ],
      after: [{ side: 'short', contracts: 0.01 }],
    },
  },
  {
    name: 'linear: a trigger above and one below wait for their price',
    call: async (client) => [
      await triggered(client, LINEAR, 'buy', { triggerPrice: 61_000, triggerDirection: 'ascending' }),
      await triggered(client, LINEAR, 'buy', { triggerPrice: 59_000, triggerDirection: 'descending' }),
    ],
    gives: [
      {
        triggerPrice: 61_000,
        status: 'open',
        info: { orderStatus: 'Untriggered', triggerDirection: 1, stopOrderType: 'Stop' },
      },
      { triggerPrice: 59_000, info: { triggerDirection: 2, triggerBy: 'LastPrice' } },
    ],
  },
  {
    name: 'linear: stop loss and take profit of a position wait, and close it when the price comes',
    call: async (client, { pin }) => {
      await client.createOrder(LINEAR.symbol, 'market', 'buy', 0.01)
      const stop = await triggered(client, LINEAR, 'sell', { stopLossPrice: 59_000 })
      const take = await triggered(client, LINEAR, 'sell', { takeProfitPrice: 61_000 })
      await pin(BTC, { bid: '61099.9', ask: '61100.1' })
      return { stop, take, left: (await client.fetchPositions()).length }
    },
    gives: {
      stop: { stopLossPrice: 59_000, reduceOnly: true },
      take: { takeProfitPrice: 61_000, reduceOnly: true },
      left: 0,
    },
  },
  {
    name: 'linear: stop loss and take profit attached to an order come to life with its position',
    call: async (client) => {
      const params = { stopLoss: { triggerPrice: 59_000 }, takeProfit: { triggerPrice: 62_000 } }
      await client.createOrder(LINEAR.symbol, 'market', 'buy', 0.01, undefined, params)
      const [position] = await client.fetchPositions([LINEAR.symbol])
      const kinds = (await openOf(client, LINEAR)).map(({ info }) => info.stopOrderType)
      return { position, kinds: kinds.sort() }
    },
    gives: {
      position: { stopLossPrice: 59_000, takeProfitPrice: 62_000 },
      kinds: ['StopLoss', 'TakeProfit'],
    },
  },
  {
    name: 'linear: attached limit legs are partial',
    call: async (client) => {
      const params = { takeProfit: { triggerPrice: 62_000, price: 62_100 } }
      await client.createOrder(LINEAR.symbol, 'market', 'buy', 0.01, undefined, params)
      return (await openOf(client, LINEAR)).map(({ info }) => info)
    },
    gives: [
      { stopOrderType: 'PartialTakeProfit', orderType: 'Limit', price: '62100.00', triggerPrice: '62000.00' },
    ],
  },
  {
    name: 'linear: the trading stop endpoint sets both legs, a trailing stop, and takes them away',
    call: async (client) => {
      await client.createOrder(LINEAR.symbol, 'market', 'buy', 0.01)
      const legs = { stopLossPrice: 59_000, takeProfitPrice: 62_000, tradingStopEndpoint: true }
      await client.createOrder(LINEAR.symbol, 'market', 'sell', 0, undefined, legs)
      await client.createOrder(LINEAR.symbol, 'market', 'sell', 0.01, undefined, { trailingAmount: '500' })
      const [position] = await client.fetchPositions([LINEAR.symbol])
      const away = {
        category: 'linear',
        symbol: BTC,
        stopLoss: '0',
        takeProfit: '0',
        trailingStop: '0',
        positionIdx: 0,
      }
      await client.privatePostV5PositionTradingStop({ ...away, tpslMode: 'Full' })
      return { position, left: await openOf(client, LINEAR) }
    },
    gives: {
      position: { stopLossPrice: 59_000, takeProfitPrice: 62_000, info: { trailingStop: '500.00' } },
      left: [],
    },
  },
  {
    name: 'linear: margin is bound by positions and orders',
    call: async (client) => {
      await client.createOrder(LINEAR.symbol, 'limit', 'buy', 0.01, 58_000)
      return (await client.fetchBalance())['USDT']
    },
    gives: { total: 100_000, used: 58, free: 99_942 },
  },
  {
    name: 'linear: funding, tiers and mark candles',
    call: async (client) => {
      const rate = await client.fetchFundingRate(LINEAR.symbol)
      const past = await client.fetchFundingRateHistory(LINEAR.symbol)
      const [tier] = await client.fetchMarketLeverageTiers(LINEAR.symbol)
      const [candle] = await client.fetchOHLCV(LINEAR.symbol, '1m', undefined, 1, { price: 'mark' })
      return { rate, past, tier, mark: candle?.[4] }
    },
    gives: {
      rate: { symbol: LINEAR.symbol, fundingRate: 0.0001, interval: '8h' },
      past: [],
      tier: { tier: 1, maxLeverage: 100, maxNotional: 2_000_000, maintenanceMarginRate: 0.005 },
      mark: 60_000,
    },
  },
  {
    name: 'linear: orders of several symbols are canceled at once, and all after a silence',
    call: async (client) => {
      const { id } = await limit(client, LINEAR)
      const other = await client.createOrder('ETH/USDT:USDT', 'limit', 'buy', 0.1, 2_900)
      const canceled = await client.cancelOrdersForSymbols([
        { id: `${id}`, symbol: LINEAR.symbol },
        { id: `${other.id}`, symbol: 'ETH/USDT:USDT' },
      ])
      return { canceled: canceled.length, guard: await client.cancelAllOrdersAfter(10_000) }
    },
    gives: { canceled: 2, guard: { retCode: 0 } },
  },
]

const spot: Row[] = [
  {
    name: 'spot: the market with its filters',
    call: async (client) => (await client.loadMarkets())[SPOT.symbol],
    gives: {
      ...{ id: BTC, type: 'spot', spot: true, active: true },
      precision: { amount: 0.000001, price: 0.1 },
      limits: { amount: { min: 0.000011, max: 83 }, cost: { min: 5 } },
    },
  },
  {
    name: 'spot: a market buy by cost spends its cost',
    call: async (client) => {
      const placed = await client.createMarketBuyOrderWithCost(SPOT.symbol, 600)
      const order = await find(client, SPOT, `${placed.id}`)
      return { order, balance: await client.fetchBalance() }
    },
    gives: {
      order: {
        ...{ status: 'closed', filled: 0.009999, cost: 599.9409999 },
        info: { marketUnit: '', qty: '600', cumExecQty: '0.009999' },
      },
      balance: { USDT: { total: 99_400.0590001 }, BTC: { total: 2.00998901 } },
    },
  },
  {
    name: 'spot: a market sell pays its fee in the coin it gets',
    call: async (client) => {
      await client.createOrder(SPOT.symbol, 'market', 'sell', 0.01)
      return await client.fetchBalance()
    },
    gives: { BTC: { total: 1.99 }, USDT: { total: 100_599.399001 } },
  },
  {
    name: 'spot: an open order locks its cost',
    call: async (client) => {
      await limit(client, SPOT)
      return (await client.fetchBalance())['USDT']
    },
    gives: { total: 100_000, used: 580, free: 99_420 },
  },
  {
    name: 'spot: a stop order and a TP/SL order wait for their price; only the latter locks',
    call: async (client) => {
      const stop = await triggered(client, SPOT, 'sell', { triggerPrice: 59_000 })
      const free = (await client.fetchBalance())['BTC']?.free
      const take = await triggered(client, SPOT, 'sell', { takeProfitPrice: 61_000 })
      return { stop, take, free, after: (await client.fetchBalance())['BTC']?.free }
    },
    gives: {
      stop: { triggerPrice: 59_000, info: { stopOrderType: 'Stop', orderStatus: 'Untriggered' } },
      take: { triggerPrice: 61_000, info: { stopOrderType: 'tpslOrder' } },
      ...{ free: 2, after: 1.99 },
    },
  },
  {
    name: 'spot: a stop order is canceled with its filter, and wakes when the price comes',
    call: async (client, { pin }) => {
      const [first, second] = [
        await client.createOrder(SPOT.symbol, 'market', 'sell', 0.01, undefined, { triggerPrice: 59_000 }),
        await client.createOrder(SPOT.symbol, 'market', 'sell', 0.02, undefined, { triggerPrice: 59_000 }),
      ]
      await client.cancelOrder(`${first.id}`, SPOT.symbol, { trigger: true })
      await pin(BTC, { bid: '58899.9', ask: '58900.1' })
      const [canceled, filled] = [
        await find(client, SPOT, `${first.id}`),
        await find(client, SPOT, `${second.id}`),
      ]
      return { canceled, filled }
    },
    gives: {
      canceled: { status: 'canceled', info: { orderStatus: 'Deactivated', cancelType: 'CancelByUser' } },
      filled: { status: 'closed', filled: 0.02, info: { orderStatus: 'Filled' } },
    },
  },
  {
    name: 'spot: take profit and stop loss attached to a limit order come with its fill',
    call: async (client) => {
      const params = {
        stopLoss: { triggerPrice: 58_000 },
        takeProfit: { triggerPrice: 62_000, price: 62_100 },
      }
      await client.createOrder(SPOT.symbol, 'limit', 'buy', 0.01, 60_100, params)
      return (await openOf(client, SPOT))
        .map(({ info }) => info)
        .sort((a, b) => a.triggerPrice - b.triggerPrice)
    },
    gives: [
      { triggerPrice: '58000.00', side: 'Sell', stopOrderType: 'OcoOrder' },
      { triggerPrice: '62000.00', side: 'Sell', orderType: 'Limit', price: '62100.00' },
    ],
  },
]

const account: Row[] = [
  {
    name: 'the time',
    call: async (client) => ({ isNow: Math.abs(((await client.fetchTime()) ?? 0) - Date.now()) < 5_000 }),
    gives: { isNow: true },
  },
  {
    name: 'pages follow each other by cursor',
    call: async (client) => {
      for (let price = 57_000; price < 57_005; price += 1) await limit(client, LINEAR, price)
      const prices: string[] = []
      for (let cursor: string | undefined; cursor !== ''; ) {
        const asked = { category: 'linear', symbol: BTC, limit: 2, ...(cursor && { cursor }) }
        const { result } = await client.privateGetV5OrderRealtime(asked)
        prices.push(...result.list.map(({ price }: { price: string }) => price))
        cursor = result.nextPageCursor
      }
      return { prices }
    },
    gives: { prices: ['57004.00', '57003.00', '57002.00', '57001.00', '57000.00'] },
  },
]

contract(CCXT, [...KINDS.flatMap(shared), ...linear, ...spot, ...account])

contract(CCXT_UNTUNED, [
  {
    name: 'it asks for every category, for coins and for the kind of the account',
    call: async (client) => {
      await client.loadMarkets()
      const order = await client.createOrder(LINEAR.symbol, 'market', 'buy', 0.01)
      const balance = await client.fetchBalance({ type: 'funding' })
      return { coins: Object.keys(client.currencies).includes('BTC'), id: typeof order.id, balance }
    },
    gives: { coins: true, id: 'string', balance: { USDT: { total: 0 } } },
  },
])
