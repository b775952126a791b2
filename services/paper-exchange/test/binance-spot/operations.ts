import { expect } from '@jest/globals'
import type { MainClient } from 'binance'
import type { binance as CcxtBinance } from 'ccxt'
import { eventually, type Operation } from '../contract/suite.ts'

const BTC = 'BTC/USDT'
const BUY_LIMIT = ['limit', 'buy', 0.01, 59_000] as const
const named = (clientOrderId: string) => ({ newClientOrderId: clientOrderId })

const OCO_SELL = {
  symbol: 'BTCUSDT',
  side: 'SELL',
  quantity: '0.01',
  aboveType: 'LIMIT_MAKER',
  abovePrice: '65000',
  belowType: 'STOP_LOSS_LIMIT',
  belowStopPrice: '55000',
  belowPrice: '54900',
  belowTimeInForce: 'GTC',
}

// Half a basis point of spread around 60,000; fees of a tenth of a percent come off what is received.
const ASK = 60_000.1
const BID = 59_999.9

/** ccxt's operations over HTTP. */
export const CCXT_OPERATIONS: readonly Operation<CcxtBinance>[] = [
  {
    name: 'markets with their filters',
    call: async (ccxt) => (await ccxt.loadMarkets())[BTC],
    gives: {
      id: 'BTCUSDT',
      type: 'spot',
      active: true,
      base: 'BTC',
      quote: 'USDT',
      precision: { amount: 0.00001, price: 0.01, base: 1e-8, quote: 1e-8 },
      limits: {
        amount: { min: 0.00001, max: 9000 },
        price: { min: 0.01, max: 1_000_000 },
        cost: { min: 5 },
        market: { max: 120 },
      },
    },
  },
  {
    name: 'the symbols of all coins',
    call: async (ccxt) => {
      await ccxt.loadMarkets()
      return { symbols: ccxt.symbols }
    },
    gives: {
      symbols: ['BNB/USDT', 'BTC/USDT', 'DOGE/USDT', 'ETH/USDT', 'PEPE/USDT', 'SOL/USDT', 'XRP/USDT'],
    },
  },
  {
    name: 'the time',
    call: async (ccxt) => ({ near: Math.abs(Number(await ccxt.fetchTime()) - Date.now()) < 5_000 }),
    gives: { near: true },
  },
  {
    name: 'a ticker',
    call: async (ccxt) => await ccxt.fetchTicker(BTC),
    gives: { symbol: BTC, last: 60_000, bid: BID, ask: ASK },
  },
  {
    name: 'all tickers',
    call: async (ccxt) => (await ccxt.fetchTickers())['ETH/USDT'],
    gives: { symbol: 'ETH/USDT', last: 3_000 },
  },
  {
    name: 'the best bids and asks of chosen symbols',
    call: async (ccxt) => await ccxt.fetchBidsAsks([BTC, 'XRP/USDT']),
    gives: { [BTC]: { bid: BID, ask: ASK }, 'XRP/USDT': { bid: 0.5999, ask: 0.6001 } },
  },
  {
    name: 'last prices',
    call: async (ccxt) => await ccxt.fetchLastPrices([BTC]),
    gives: { [BTC]: { symbol: BTC, price: 60_000 } },
  },
  {
    name: 'an order book whose best prices are those of the ticker',
    call: async (ccxt) => {
      const { bids, asks } = await ccxt.fetchOrderBook(BTC, 5)
      return { levels: [bids.length, asks.length], bid: bids[0]?.[0], ask: asks[0]?.[0] }
    },
    gives: { levels: [5, 5], bid: BID, ask: ASK },
  },
  {
    name: 'public trades',
    call: async (ccxt) => {
      await ccxt.createOrder(BTC, 'market', 'buy', 0.02)
      return (await ccxt.fetchTrades(BTC)).at(-1)
    },
    gives: { symbol: BTC, side: 'buy', price: ASK, amount: 0.02 },
  },
  {
    name: 'candles',
    call: async (ccxt) => {
      await ccxt.createOrder(BTC, 'market', 'buy', 0.02)
      return { last: (await ccxt.fetchOHLCV(BTC, '1h')).at(-1)?.[4] }
    },
    gives: { last: ASK },
  },
  {
    name: 'the balance, free and locked',
    call: async (ccxt) => {
      await ccxt.createOrder(BTC, ...BUY_LIMIT)
      return await ccxt.fetchBalance()
    },
    gives: { USDT: { free: 99_410, used: 590, total: 100_000 }, BTC: { free: 2, used: 0, total: 2 } },
  },
  {
    name: 'the trading fee',
    call: async (ccxt) => await ccxt.fetchTradingFee(BTC),
    gives: { symbol: BTC, maker: 0.001, taker: 0.001 },
  },
  {
    name: 'a market buy, filled at the ask',
    call: async (ccxt) => await ccxt.createOrder(BTC, 'market', 'buy', 0.01, undefined, named('tMarket')),
    gives: {
      symbol: BTC,
      type: 'market',
      side: 'buy',
      status: 'closed',
      amount: 0.01,
      filled: 0.01,
      remaining: 0,
      average: ASK,
      cost: 600.001,
      clientOrderId: 'tMarket',
      fee: { currency: 'BTC', cost: 0.00001 },
    },
  },
  {
    name: 'a market sell, filled at the bid',
    call: async (ccxt) => await ccxt.createOrder(BTC, 'market', 'sell', 0.5),
    gives: {
      side: 'sell',
      status: 'closed',
      filled: 0.5,
      average: BID,
      fee: { currency: 'USDT', cost: 29.99995 },
    },
  },
  {
    name: 'a market buy by cost, filled as near to it as the step allows',
    call: async (ccxt) => await ccxt.createMarketBuyOrderWithCost(BTC, 600),
    gives: { status: 'closed', filled: 0.00999, average: ASK, info: { origQuoteOrderQty: '600.00000000' } },
  },
  {
    name: 'a market sell by cost',
    call: async (ccxt) => await ccxt.createOrder(BTC, 'market', 'sell', 1, undefined, { cost: 600 }),
    gives: { status: 'closed', side: 'sell', info: { origQuoteOrderQty: '600.00000000' } },
  },
  {
    name: 'a big order, filled at several prices of the book',
    balances: { USDT: '10000000' },
    call: async (ccxt) => {
      const order = await ccxt.createOrder(BTC, 'market', 'buy', 20)
      const prices = new Set(order.trades?.map(({ price }) => price))
      return { ...order, several: prices.size > 1, dearer: Number(order.average) > ASK }
    },
    gives: { status: 'closed', filled: 20, several: true, dearer: true },
  },
  {
    name: 'an order that the market fills in parts',
    balances: { USDT: '100000000' },
    call: async (ccxt, { pin }) => {
      const { id } = await ccxt.createOrder(BTC, 'limit', 'buy', 100, 59_000)
      await pin('BTCUSDT', { bid: '58999.8', ask: '58999.9' })
      const order = await ccxt.fetchOrder(`${id}`, BTC)
      return { ...order, partly: Number(order.filled) > 0 && Number(order.filled) < 100 }
    },
    gives: { status: 'open', partly: true, average: 59_000, info: { status: 'PARTIALLY_FILLED' } },
  },
  {
    name: 'the balance after a buy, with the fee off the bought coins',
    call: async (ccxt) => {
      await ccxt.createOrder(BTC, 'market', 'buy', 0.01)
      return await ccxt.fetchBalance()
    },
    gives: { BTC: { free: 2.00999, total: 2.00999 }, USDT: { total: 99_399.999 } },
  },
  {
    name: 'a limit order that rests',
    call: async (ccxt) => await ccxt.createOrder(BTC, ...BUY_LIMIT, named('tLimit')),
    gives: {
      type: 'limit',
      side: 'buy',
      timeInForce: 'GTC',
      postOnly: false,
      status: 'open',
      price: 59_000,
      amount: 0.01,
      filled: 0,
      remaining: 0.01,
      clientOrderId: 'tLimit',
    },
  },
  {
    name: 'a limit order that rests until the market comes, then fills as maker',
    call: async (ccxt, { pin }) => {
      const { id } = await ccxt.createOrder(BTC, ...BUY_LIMIT)
      await pin('BTCUSDT', { bid: '58999.8', ask: '58999.9' })
      const [trade] = await ccxt.fetchMyTrades(BTC)
      return { order: await ccxt.fetchOrder(`${id}`, BTC), trade }
    },
    gives: {
      order: { status: 'closed', filled: 0.01, average: 59_000 },
      trade: { takerOrMaker: 'maker', price: 59_000, amount: 0.01, fee: { currency: 'BTC', cost: 0.00001 } },
    },
  },
  {
    name: 'an IOC order that finds nothing',
    call: async (ccxt) => await ccxt.createOrder(BTC, ...BUY_LIMIT, { timeInForce: 'IOC' }),
    gives: { status: 'expired', timeInForce: 'IOC', filled: 0 },
  },
  {
    name: 'a FOK order that is filled whole',
    call: async (ccxt) => await ccxt.createOrder(BTC, 'limit', 'buy', 0.01, 60_001, { timeInForce: 'FOK' }),
    gives: { status: 'closed', timeInForce: 'FOK', filled: 0.01, average: ASK },
  },
  {
    name: 'a FOK order that cannot be filled whole',
    call: async (ccxt) => await ccxt.createOrder(BTC, ...BUY_LIMIT, { timeInForce: 'FOK' }),
    gives: { status: 'expired', timeInForce: 'FOK', filled: 0 },
  },
  {
    name: 'a post-only order',
    call: async (ccxt) => {
      const { id } = await ccxt.createOrder(BTC, ...BUY_LIMIT, { postOnly: true })
      return await ccxt.fetchOrder(`${id}`, BTC)
    },
    gives: { postOnly: true, status: 'open', info: { type: 'LIMIT_MAKER' } },
  },
  {
    name: 'a stop loss that waits for its price',
    call: async (ccxt) => {
      const { id } = await ccxt.createOrder(BTC, 'market', 'sell', 0.01, undefined, { triggerPrice: 58_000 })
      return await ccxt.fetchOrder(`${id}`, BTC)
    },
    gives: {
      type: 'market',
      side: 'sell',
      status: 'open',
      triggerPrice: 58_000,
      info: { type: 'STOP_LOSS', isWorking: false },
    },
  },
  {
    name: 'a stop loss whose price has come',
    call: async (ccxt, { pin }) => {
      const { id } = await ccxt.createOrder(BTC, 'market', 'sell', 0.01, undefined, { stopLossPrice: 58_000 })
      await pin('BTCUSDT', { bid: '57899.9', ask: '57900.1' })
      return await ccxt.fetchOrder(`${id}`, BTC)
    },
    gives: { status: 'closed', filled: 0.01, average: 57_899.9, info: { isWorking: true } },
  },
  {
    name: 'a stop loss limit order',
    call: async (ccxt) => {
      const { id } = await ccxt.createOrder(BTC, 'limit', 'sell', 0.01, 57_900, { stopLossPrice: 58_000 })
      return await ccxt.fetchOrder(`${id}`, BTC)
    },
    gives: {
      status: 'open',
      price: 57_900,
      triggerPrice: 58_000,
      info: { type: 'STOP_LOSS_LIMIT', timeInForce: 'GTC' },
    },
  },
  {
    name: 'a take profit order',
    call: async (ccxt, { pin }) => {
      const { id } = await ccxt.createOrder(BTC, 'market', 'sell', 0.01, undefined, {
        takeProfitPrice: 61_000,
      })
      await pin('BTCUSDT', { bid: '61099.9', ask: '61100.1' })
      return await ccxt.fetchOrder(`${id}`, BTC)
    },
    gives: {
      status: 'closed',
      average: 61_099.9,
      info: { type: 'TAKE_PROFIT', stopPrice: '61000.00000000' },
    },
  },
  {
    name: 'a take profit limit order',
    call: async (ccxt) => {
      const { id } = await ccxt.createOrder(BTC, 'limit', 'sell', 0.01, 61_050, { takeProfitPrice: 61_000 })
      return await ccxt.fetchOrder(`${id}`, BTC)
    },
    gives: { status: 'open', price: 61_050, info: { type: 'TAKE_PROFIT_LIMIT' } },
  },
  {
    name: 'a trailing stop that follows the price up and sells when it falls',
    call: async (ccxt, { pin }) => {
      const { id } = await ccxt.createOrder(BTC, 'market', 'sell', 0.01, undefined, {
        trailingPercent: 1,
        stopLossOrTakeProfit: 'stopLoss',
      })
      await pin('BTCUSDT', { bid: '61999.9', ask: '62000.1' })
      const waiting = await ccxt.fetchOrder(`${id}`, BTC)
      await pin('BTCUSDT', { bid: '61299.9', ask: '61300.1' })
      return { waiting, sold: await ccxt.fetchOrder(`${id}`, BTC) }
    },
    gives: {
      waiting: { status: 'open', info: { trailingDelta: 100 } },
      sold: { status: 'closed', average: 61_299.9 },
    },
  },
  {
    name: 'an order that is only tested',
    call: async (ccxt) => {
      await ccxt.createOrder(BTC, ...BUY_LIMIT, { test: true })
      return { open: await ccxt.fetchOpenOrders(BTC) }
    },
    gives: { open: [] },
  },
  {
    name: 'an order by the id the client gave it',
    call: async (ccxt) => {
      await ccxt.createOrder(BTC, ...BUY_LIMIT, named('tMine'))
      return await ccxt.fetchOrder('', BTC, { clientOrderId: 'tMine' })
    },
    gives: { clientOrderId: 'tMine', status: 'open', price: 59_000 },
  },
  {
    name: 'the open orders of a symbol and of all',
    call: async (ccxt) => {
      await ccxt.createOrder(BTC, ...BUY_LIMIT, named('tOpen'))
      await ccxt.createOrder('ETH/USDT', 'limit', 'buy', 0.1, 2_900, named('tOther'))
      return {
        one: await ccxt.fetchOpenOrders(BTC),
        all: (await ccxt.fetchOpenOrders()).map((o) => o.clientOrderId),
      }
    },
    gives: { one: [{ clientOrderId: 'tOpen', price: 59_000 }], all: ['tOpen', 'tOther'] },
  },
  {
    name: 'all orders, open and closed',
    call: async (ccxt) => {
      await ccxt.createOrder(BTC, ...BUY_LIMIT)
      await ccxt.createOrder(BTC, 'market', 'buy', 0.01)
      return {
        all: (await ccxt.fetchOrders(BTC)).map(({ status }) => status),
        closed: await ccxt.fetchClosedOrders(BTC),
        later: await ccxt.fetchOrders(BTC, Date.now() + 60_000),
      }
    },
    gives: { all: ['open', 'closed'], closed: [{ type: 'market', filled: 0.01 }], later: [] },
  },
  {
    name: 'the trades of an order',
    call: async (ccxt) => {
      const { id } = await ccxt.createOrder(BTC, 'market', 'buy', 0.01)
      const [trade] = await ccxt.fetchOrderTrades(`${id}`, BTC)
      return { id, trade, same: trade?.order === id }
    },
    gives: {
      same: true,
      trade: { symbol: BTC, side: 'buy', takerOrMaker: 'taker', price: ASK, amount: 0.01, cost: 600.001 },
    },
  },
  {
    name: 'a cancel by id',
    call: async (ccxt) => {
      const { id } = await ccxt.createOrder(BTC, ...BUY_LIMIT)
      await ccxt.cancelOrder(`${id}`, BTC)
      return { order: await ccxt.fetchOrder(`${id}`, BTC), balance: await ccxt.fetchBalance() }
    },
    gives: { order: { status: 'canceled', filled: 0 }, balance: { USDT: { free: 100_000, used: 0 } } },
  },
  {
    name: 'a cancel by the id the client gave',
    call: async (ccxt) => {
      await ccxt.createOrder(BTC, ...BUY_LIMIT, named('tGone'))
      return await ccxt.cancelOrder('', BTC, { clientOrderId: 'tGone' })
    },
    gives: { status: 'canceled', info: { origClientOrderId: 'tGone' } },
  },
  {
    name: 'a cancel of everything in a symbol, lists and all',
    call: async (ccxt) => {
      await ccxt.createOrder(BTC, ...BUY_LIMIT)
      await ccxt.privatePostOrderListOco(OCO_SELL)
      await ccxt.cancelAllOrders(BTC)
      return { open: await ccxt.fetchOpenOrders(BTC), balance: await ccxt.fetchBalance() }
    },
    gives: { open: [], balance: { USDT: { used: 0 }, BTC: { used: 0 } } },
  },
  {
    name: 'an order in place of another',
    call: async (ccxt) => {
      const { id } = await ccxt.createOrder(BTC, ...BUY_LIMIT)
      const edited = await ccxt.editOrder(`${id}`, BTC, 'limit', 'buy', 0.02, 58_500)
      return { edited, old: await ccxt.fetchOrder(`${id}`, BTC) }
    },
    gives: { edited: { status: 'open', price: 58_500, amount: 0.02 }, old: { status: 'canceled' } },
  },
  {
    name: 'an OCO, of which both legs wait with one lock',
    call: async (ccxt) => {
      const placed = await ccxt.privatePostOrderListOco({ ...OCO_SELL, listClientOrderId: 'tList' })
      return { placed, balance: await ccxt.fetchBalance(), open: await ccxt.fetchOpenOrders(BTC) }
    },
    gives: {
      placed: {
        contingencyType: 'OCO',
        listStatusType: 'EXEC_STARTED',
        listOrderStatus: 'EXECUTING',
        listClientOrderId: 'tList',
        symbol: 'BTCUSDT',
        orderReports: [
          {
            type: 'STOP_LOSS_LIMIT',
            side: 'SELL',
            price: '54900.00000000',
            stopPrice: '55000.00000000',
            status: 'NEW',
          },
          { type: 'LIMIT_MAKER', side: 'SELL', price: '65000.00000000', status: 'NEW' },
        ],
      },
      balance: { BTC: { used: 0.01 } },
      open: [{ triggerPrice: 55_000 }, { price: 65_000 }],
    },
  },
  {
    name: 'an OCO whose limit leg fills and ends the other',
    call: async (ccxt, { pin }) => {
      const placed = await ccxt.privatePostOrderListOco(OCO_SELL)
      await pin('BTCUSDT', { bid: '65000.1', ask: '65000.3' })
      const orders = (await ccxt.fetchOrders(BTC)).map(({ status }) => status)
      return { orders, list: await ccxt.privateGetOrderList({ orderListId: placed['orderListId'] }) }
    },
    gives: {
      orders: ['expired', 'closed'],
      list: { listStatusType: 'ALL_DONE', listOrderStatus: 'ALL_DONE' },
    },
  },
  {
    name: 'an OCO whose stop triggers and ends the limit leg',
    call: async (ccxt, { pin }) => {
      await ccxt.privatePostOrderListOco({
        ...OCO_SELL,
        belowType: 'STOP_LOSS',
        belowPrice: undefined,
        belowTimeInForce: undefined,
      })
      await pin('BTCUSDT', { bid: '54999.9', ask: '55000.1' })
      return { orders: (await ccxt.fetchOrders(BTC)).map(({ status }) => status) }
    },
    gives: { orders: ['closed', 'expired'] },
  },
  {
    name: 'an OCO that is canceled as a list',
    call: async (ccxt) => {
      const { orderListId } = await ccxt.privatePostOrderListOco(OCO_SELL)
      const canceled = await ccxt.privateDeleteOrderList({ symbol: 'BTCUSDT', orderListId })
      return { canceled, open: await ccxt.privateGetOpenOrderList() }
    },
    gives: {
      canceled: {
        listOrderStatus: 'ALL_DONE',
        orderReports: [{ status: 'CANCELED' }, { status: 'CANCELED' }],
      },
      open: [],
    },
  },
  {
    name: 'an OCO that ends with the cancel of one leg',
    call: async (ccxt) => {
      const { orders } = await ccxt.privatePostOrderListOco({ ...OCO_SELL, side: 'SELL' })
      await ccxt.cancelOrder(orders[0].orderId, BTC)
      return { orders: (await ccxt.fetchOrders(BTC)).map(({ status }) => status) }
    },
    gives: { orders: ['canceled', 'canceled'] },
  },
  {
    name: 'a buying OCO by the deprecated endpoint',
    call: async (ccxt) =>
      await ccxt.privatePostOrderOco({
        symbol: 'BTCUSDT',
        side: 'BUY',
        quantity: '0.01',
        price: '55000',
        stopPrice: '65000',
        stopLimitPrice: '65100',
        stopLimitTimeInForce: 'GTC',
      }),
    gives: {
      orderReports: [
        { type: 'STOP_LOSS_LIMIT', side: 'BUY', stopPrice: '65000.00000000' },
        { type: 'LIMIT_MAKER', side: 'BUY', price: '55000.00000000' },
      ],
    },
  },
  {
    name: 'how many orders count against the limits',
    call: async (ccxt) => {
      // The count begins anew every ten seconds.
      await eventually(
        () => Date.now() % 10_000,
        (ms) => ms < 5_000,
      )
      await ccxt.createOrder(BTC, ...BUY_LIMIT)
      return { limits: await ccxt.privateGetRateLimitOrder() }
    },
    gives: {
      limits: [
        { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: 100, count: 1 },
        { interval: 'DAY', limit: 200_000, count: 1 },
      ],
    },
  },
]

const SDK_LIMIT = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: 0.01,
  price: 59_000,
} as const

const SDK_OCO = {
  symbol: 'BTCUSDT',
  side: 'SELL',
  quantity: 0.01,
  aboveType: 'LIMIT_MAKER',
  abovePrice: 65_000,
  belowType: 'STOP_LOSS',
  belowStopPrice: 55_000,
} as const

/** The SDK's operations over HTTP. */
export const SDK_OPERATIONS: readonly Operation<MainClient>[] = [
  { name: 'a ping', call: async (sdk) => await sdk.testConnectivity(), gives: {} },
  {
    name: 'the rules of chosen symbols',
    call: async (sdk) => {
      const { symbols, rateLimits } = await sdk.getExchangeInfo({ symbols: ['BTCUSDT', 'PEPEUSDT'] })
      return { symbols: symbols.map(({ symbol, status }) => ({ symbol, status })), rateLimits }
    },
    gives: {
      symbols: [
        { symbol: 'BTCUSDT', status: 'TRADING' },
        { symbol: 'PEPEUSDT', status: 'TRADING' },
      ],
      rateLimits: [],
    },
  },
  {
    name: 'every filter of a symbol',
    call: async (sdk) => {
      const { symbols } = await sdk.getExchangeInfo({ symbol: 'BTCUSDT' })
      return { filters: symbols[0]?.filters.map(({ filterType }) => filterType) }
    },
    gives: {
      filters: [
        'PRICE_FILTER',
        'LOT_SIZE',
        'ICEBERG_PARTS',
        'MARKET_LOT_SIZE',
        'TRAILING_DELTA',
        'PERCENT_PRICE_BY_SIDE',
        'NOTIONAL',
        'MAX_NUM_ORDERS',
        'MAX_NUM_ORDER_LISTS',
        'MAX_NUM_ALGO_ORDERS',
        'MAX_NUM_ORDER_AMENDS',
      ],
    },
  },
  {
    name: 'the book',
    call: async (sdk) => (await sdk.getOrderBook({ symbol: 'BTCUSDT', limit: 5 })).bids[0],
    gives: ['59999.90000000', expect.any(String)],
  },
  {
    name: 'the best prices',
    call: async (sdk) => await sdk.getSymbolOrderBookTicker({ symbol: 'BTCUSDT' }),
    gives: { symbol: 'BTCUSDT', bidPrice: '59999.90000000', askPrice: '60000.10000000' },
  },
  {
    name: 'the last price',
    call: async (sdk) => await sdk.getSymbolPriceTicker({ symbol: 'BTCUSDT' }),
    gives: { symbol: 'BTCUSDT', price: '60000.00000000' },
  },
  {
    name: 'the day of a symbol',
    call: async (sdk) => await sdk.get24hrChangeStatistics({ symbol: 'BTCUSDT' }),
    gives: { symbol: 'BTCUSDT', lastPrice: '60000.00000000' },
  },
  {
    name: 'the average price',
    call: async (sdk) => await sdk.getAvgPrice({ symbol: 'BTCUSDT' }),
    gives: { mins: 5, price: '60000.00000000' },
  },
  {
    name: 'the reference price',
    call: async (sdk) => await sdk.getReferencePrice({ symbol: 'BTCUSDT' }),
    gives: { symbol: 'BTCUSDT', referencePrice: '60000.00000000', timestamp: expect.any(Number) },
  },
  {
    name: 'the account',
    call: async (sdk) => await sdk.getAccountInformation({ omitZeroBalances: true }),
    gives: {
      canTrade: true,
      accountType: 'SPOT',
      commissionRates: { maker: '0.00100000', taker: '0.00100000' },
      balances: [
        { asset: 'USDT', free: '100000.00000000', locked: '0.00000000' },
        { asset: 'BTC', free: '2.00000000', locked: '0.00000000' },
      ],
    },
  },
  {
    name: 'the fees of a symbol',
    call: async (sdk) => await sdk.getTradeFee({ symbol: 'BTCUSDT' }),
    gives: [{ symbol: 'BTCUSDT', makerCommission: '0.001', takerCommission: '0.001' }],
  },
  {
    name: 'the commission rates of a symbol',
    call: async (sdk) => await sdk.getCommissionRates({ symbol: 'BTCUSDT' }),
    gives: { symbol: 'BTCUSDT', standardCommission: { maker: '0.00100000', taker: '0.00100000' } },
  },
  {
    name: 'a market order in full',
    call: async (sdk) =>
      await sdk.submitNewOrder({
        symbol: 'BTCUSDT',
        side: 'BUY',
        type: 'MARKET',
        quantity: 0.01,
        newOrderRespType: 'FULL',
      }),
    gives: {
      symbol: 'BTCUSDT',
      status: 'FILLED',
      type: 'MARKET',
      side: 'BUY',
      orderListId: -1,
      origQty: '0.01000000',
      executedQty: '0.01000000',
      cummulativeQuoteQty: '600.00100000',
      timeInForce: 'GTC',
      selfTradePreventionMode: 'EXPIRE_MAKER',
      fills: [
        { price: '60000.10000000', qty: '0.01000000', commission: '0.00001000', commissionAsset: 'BTC' },
      ],
    },
  },
  {
    name: 'a limit order as a result without fills',
    call: async (sdk) => {
      const placed = await sdk.submitNewOrder({ ...SDK_LIMIT, newOrderRespType: 'RESULT' })
      return { ...placed, hasFills: 'fills' in placed }
    },
    gives: { status: 'NEW', price: '59000.00000000', executedQty: '0.00000000', hasFills: false },
  },
  {
    name: 'a limit order that is only acknowledged',
    call: async (sdk) => {
      const placed = await sdk.submitNewOrder({
        ...SDK_LIMIT,
        newClientOrderId: 'x-U5D79M5Back',
        newOrderRespType: 'ACK',
      })
      return { ...placed, names: Object.keys(placed) }
    },
    gives: {
      clientOrderId: 'x-U5D79M5Back',
      names: ['symbol', 'orderId', 'orderListId', 'clientOrderId', 'transactTime'],
    },
  },
  {
    name: 'an order of a strategy',
    call: async (sdk) => {
      const placed = await sdk.submitNewOrder({ ...SDK_LIMIT, strategyId: 7, strategyType: 1_000_001 })
      return await sdk.getOrder({ symbol: 'BTCUSDT', orderId: placed.orderId })
    },
    gives: { strategyId: 7, strategyType: 1_000_001, origQuoteOrderQty: '0.00000000', isWorking: true },
  },
  { name: 'a tested order', call: async (sdk) => await sdk.testNewOrder(SDK_LIMIT), gives: {} },
  {
    name: 'a cancel',
    call: async (sdk) => {
      const { orderId } = await sdk.submitNewOrder({ ...SDK_LIMIT, newClientOrderId: 'x-U5D79M5Bgone' })
      return await sdk.cancelOrder({ symbol: 'BTCUSDT', orderId })
    },
    gives: { status: 'CANCELED', origClientOrderId: 'x-U5D79M5Bgone', executedQty: '0.00000000' },
  },
  {
    name: 'a cancel of all open orders',
    call: async (sdk) => {
      await sdk.submitNewOrder(SDK_LIMIT)
      return await sdk.cancelAllSymbolOrders({ symbol: 'BTCUSDT' })
    },
    gives: [{ status: 'CANCELED', symbol: 'BTCUSDT' }],
  },
  {
    name: 'an order in place of another',
    call: async (sdk) => {
      const { orderId } = await sdk.submitNewOrder(SDK_LIMIT)
      return await sdk.replaceOrder({
        ...SDK_LIMIT,
        price: 58_500,
        cancelOrderId: orderId,
        cancelReplaceMode: 'STOP_ON_FAILURE',
      })
    },
    gives: {
      cancelResult: 'SUCCESS',
      newOrderResult: 'SUCCESS',
      cancelResponse: { status: 'CANCELED', price: '59000.00000000' },
      newOrderResponse: { status: 'NEW', price: '58500.00000000', fills: [] },
    },
  },
  {
    name: 'open orders, all orders and trades',
    call: async (sdk) => {
      await sdk.submitNewOrder(SDK_LIMIT)
      await sdk.submitNewOrder({ symbol: 'BTCUSDT', side: 'SELL', type: 'MARKET', quantity: 0.01 })
      const symbol = { symbol: 'BTCUSDT' }
      return {
        open: await sdk.getOpenOrders(symbol),
        all: (await sdk.getAllOrders(symbol)).map(({ status }) => status),
        trades: await sdk.getAccountTradeList(symbol),
      }
    },
    gives: {
      open: [{ price: '59000.00000000', stopPrice: '0.00000000', icebergQty: '0.00000000', status: 'NEW' }],
      all: ['NEW', 'FILLED'],
      trades: [
        {
          isBuyer: false,
          isMaker: false,
          commissionAsset: 'USDT',
          qty: '0.01000000',
          quoteQty: '599.99900000',
        },
      ],
    },
  },
  {
    name: 'an OCO, found and ended',
    call: async (sdk) => {
      const { orderListId } = await sdk.submitNewOrderList(SDK_OCO)
      const open = await sdk.getAllOpenOCO()
      const found = await sdk.getOCO({ orderListId })
      const canceled = await sdk.cancelOCO({ symbol: 'BTCUSDT', orderListId })
      return { open: open.length, found, canceled, all: (await sdk.getAllOCO()).length }
    },
    gives: {
      open: 1,
      found: { contingencyType: 'OCO', listOrderStatus: 'EXECUTING' },
      canceled: { listOrderStatus: 'ALL_DONE' },
      all: 1,
    },
  },
]
