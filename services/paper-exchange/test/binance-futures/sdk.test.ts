import { expect } from '@jest/globals'
import type { USDMClient, WebsocketAPIClient } from 'binance'
import { contract, type Operation } from '../contract/suite.ts'
import { SDK, SDK_WS } from './clients.ts'

const symbol = 'BTCUSDT'
const MARKET = { symbol, side: 'BUY', type: 'MARKET', quantity: 0.01, newOrderRespType: 'RESULT' } as const
const LIMIT = {
  symbol,
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: 0.01,
  price: 59_000,
} as const
const STOP = {
  algoType: 'CONDITIONAL',
  symbol,
  side: 'SELL',
  type: 'STOP_MARKET',
  quantity: '0.01',
  triggerPrice: '58000',
} as const

type Row = Operation<USDMClient>

const afterBuying =
  (read: (sdk: USDMClient) => Promise<unknown>): Row['call'] =>
  async (sdk) => {
    await sdk.submitNewOrder(MARKET)
    return await read(sdk)
  }

const market: Row[] = [
  { name: 'ping', call: async (sdk) => await sdk.testConnectivity(), gives: {} },
  {
    name: 'time',
    call: async (sdk) => ({ time: await sdk.getServerTime() }),
    gives: { time: expect.any(Number) },
  },
  {
    name: 'exchange info',
    call: async (sdk) => await sdk.getExchangeInfo(),
    gives: {
      futuresType: 'U_MARGINED',
      symbols: expect.arrayContaining([expect.objectContaining({ symbol, contractType: 'PERPETUAL' })]),
    },
  },
  {
    name: 'order book',
    call: async (sdk) => await sdk.getOrderBook({ symbol, limit: 5 }),
    gives: {
      lastUpdateId: expect.any(Number),
      bids: expect.arrayContaining([['59999.90', expect.any(String)]]),
    },
  },
  {
    name: 'recent trades',
    call: afterBuying(async (sdk) => (await sdk.getRecentTrades({ symbol, limit: 1 }))[0]),
    gives: { price: '60000.10', qty: '0.010', isBuyerMaker: false },
  },
  {
    name: 'aggregate trades',
    call: afterBuying(async (sdk) => (await sdk.getAggregateTrades({ symbol, limit: 1 }))[0]),
    gives: { p: '60000.10', q: '0.010', m: false },
  },
  {
    name: 'candles',
    call: async (sdk) => ({ rows: (await sdk.getKlines({ symbol, interval: '1m', limit: 2 })).length }),
    gives: { rows: 2 },
  },
  {
    name: 'mark candles',
    call: async (sdk) => ({
      close: (await sdk.getMarkPriceKlines({ symbol, interval: '1m', limit: 2 }))[1]?.[4],
    }),
    gives: { close: '60000.00000000' },
  },
  {
    name: 'index candles',
    call: async (sdk) => ({
      close: (await sdk.getIndexPriceKlines({ pair: symbol, interval: '1m', limit: 2 }))[1]?.[4],
    }),
    gives: { close: '60000.00000000' },
  },
  {
    name: 'mark price',
    call: async (sdk) => await sdk.getMarkPrice({ symbol }),
    gives: { symbol, markPrice: '60000.00000000', lastFundingRate: '0.00010000' },
  },
  { name: 'funding rates', call: async (sdk) => await sdk.getFundingRateHistory({ symbol }), gives: [] },
  {
    name: 'day ticker',
    call: async (sdk) => await sdk.get24hrChangeStatistics({ symbol }),
    gives: { symbol, lastPrice: expect.any(String) },
  },
  {
    name: 'price',
    call: async (sdk) => await sdk.getSymbolPriceTicker({ symbol }),
    gives: { symbol, price: expect.any(String) },
  },
  {
    name: 'price, version 2',
    call: async (sdk) => await sdk.getSymbolPriceTickerV2({ symbol }),
    gives: { symbol, price: expect.any(String) },
  },
  {
    name: 'book ticker',
    call: async (sdk) => await sdk.getSymbolOrderBookTicker({ symbol }),
    gives: { bidPrice: '59999.90', askPrice: '60000.10' },
  },
  {
    name: 'open interest',
    call: async (sdk) => await sdk.getOpenInterest({ symbol }),
    gives: { symbol, openInterest: '0.000' },
  },
]

const trading: Row[] = [
  {
    name: 'market order',
    call: async (sdk) => await sdk.submitNewOrder({ ...MARKET, newClientOrderId: 'x-15PC4ZJyA' }),
    gives: {
      status: 'FILLED',
      executedQty: '0.010',
      clientOrderId: 'x-15PC4ZJyA',
      origType: 'MARKET',
    },
  },
  {
    name: 'order that is only taken',
    call: async (sdk) => await sdk.submitNewOrder({ ...MARKET, newOrderRespType: 'ACK' }),
    gives: { status: 'NEW', executedQty: '0.000' },
  },
  {
    name: 'limit order',
    call: async (sdk) => await sdk.submitNewOrder(LIMIT),
    gives: { status: 'NEW', price: '59000.00', origQty: '0.010', timeInForce: 'GTC' },
  },
  {
    name: 'test order',
    call: async (sdk) => ({
      tested: await sdk.testOrder(LIMIT),
      open: await sdk.getAllOpenOrders({ symbol }),
    }),
    gives: { tested: { status: 'NEW', price: '59000.00' }, open: [] },
  },
  {
    name: 'several orders',
    call: async (sdk) =>
      await sdk.submitMultipleOrders([
        { ...LIMIT, quantity: '0.01', price: '59000' },
        { ...LIMIT, quantity: '0.01', price: '1' },
      ]),
    gives: [{ status: 'NEW' }, { code: -4013 }],
  },
  {
    name: 'changed order',
    call: async (sdk) => {
      const { orderId } = await sdk.submitNewOrder(LIMIT)
      return await sdk.modifyOrder({ symbol, orderId, side: 'BUY', quantity: 0.02, price: 58_000 })
    },
    gives: { status: 'NEW', origQty: '0.020', price: '58000.00' },
  },
  {
    name: 'changed orders',
    call: async (sdk) => {
      const { orderId } = await sdk.submitNewOrder(LIMIT)
      return await sdk.modifyMultipleOrders([
        { symbol, orderId, side: 'BUY', quantity: '0.02', price: '58000' } as never,
      ])
    },
    gives: [{ origQty: '0.020', price: '58000.00' }],
  },
  {
    name: 'canceled order',
    call: async (sdk) => {
      const { orderId } = await sdk.submitNewOrder(LIMIT)
      return await sdk.cancelOrder({ symbol, orderId })
    },
    gives: { status: 'CANCELED' },
  },
  {
    name: 'orders canceled together',
    call: async (sdk) => {
      const { orderId } = await sdk.submitNewOrder(LIMIT)
      return await sdk.cancelMultipleOrders({ symbol, orderIdList: [orderId, 7] })
    },
    gives: [{ status: 'CANCELED' }, { code: -2011, msg: 'Unknown order sent.' }],
  },
  {
    name: 'all orders canceled',
    call: async (sdk) => await sdk.cancelAllOpenOrders({ symbol }),
    gives: { code: 200 },
  },
  {
    name: 'cancel all after a while',
    call: async (sdk) => await sdk.setCancelOrdersOnTimeout({ symbol, countdownTime: 100_000 }),
    gives: { countdownTime: '100000' },
  },
  {
    name: 'order',
    call: async (sdk) => {
      const { orderId } = await sdk.submitNewOrder(MARKET)
      return await sdk.getOrder({ symbol, orderId })
    },
    gives: { status: 'FILLED', cumQuote: '600.00100', time: expect.any(Number) },
  },
  {
    name: 'open order',
    call: async (sdk) => {
      const { orderId } = await sdk.submitNewOrder(LIMIT)
      return await sdk.getCurrentOpenOrder({ symbol, orderId })
    },
    gives: { status: 'NEW' },
  },
  {
    name: 'all orders',
    call: afterBuying(async (sdk) => await sdk.getAllOrders({ symbol })),
    gives: [{ status: 'FILLED' }],
  },
  {
    name: 'own trades',
    call: afterBuying(async (sdk) => await sdk.getAccountTrades({ symbol })),
    gives: [
      { side: 'BUY', price: '60000.10', commission: '0.30000050', commissionAsset: 'USDT', maker: false },
    ],
  },
]

const algos: Row[] = [
  {
    name: 'conditional order',
    call: async (sdk) => await sdk.submitNewAlgoOrder({ ...STOP, clientAlgoId: 'x-15PC4ZJyB' }),
    gives: {
      algoStatus: 'NEW',
      orderType: 'STOP_MARKET',
      triggerPrice: '58000.00',
      clientAlgoId: 'x-15PC4ZJyB',
      algoType: 'CONDITIONAL',
    },
  },
  {
    name: 'conditional order read',
    call: async (sdk) => {
      const { clientAlgoId } = await sdk.submitNewAlgoOrder(STOP)
      return {
        one: await sdk.getAlgoOrder({ clientAlgoId }),
        open: await sdk.getOpenAlgoOrders({ symbol }),
        all: await sdk.getAllAlgoOrders({ symbol }),
      }
    },
    gives: {
      one: { actualOrderId: '', algoStatus: 'NEW' },
      open: [expect.not.objectContaining({ actualPrice: expect.anything() })],
      all: [{ algoStatus: 'NEW' }],
    },
  },
  {
    name: 'conditional order canceled',
    call: async (sdk) => {
      const { algoId } = await sdk.submitNewAlgoOrder(STOP)
      return await sdk.cancelAlgoOrder({ algoId })
    },
    gives: { code: '200', msg: 'success' },
  },
  {
    name: 'all conditional orders canceled',
    call: async (sdk) => await sdk.cancelAllAlgoOpenOrders({ symbol }),
    gives: { code: 200 },
  },
]

const account: Row[] = [
  {
    name: 'account, version 2',
    call: async (sdk) => await sdk.getAccountInformation(),
    gives: { canTrade: true, totalWalletBalance: '100000.00000000' },
  },
  {
    name: 'account, version 3',
    call: afterBuying(async (sdk) => await sdk.getAccountInformationV3()),
    gives: { positions: [{ symbol, positionAmt: '0.010', positionSide: 'BOTH' }] },
  },
  {
    name: 'balance',
    call: async (sdk) => await sdk.getBalance(),
    gives: expect.arrayContaining([expect.objectContaining({ asset: 'USDT', balance: '100000.00000000' })]),
  },
  {
    name: 'balance, version 3',
    call: async (sdk) => await sdk.getBalanceV3(),
    gives: expect.arrayContaining([expect.objectContaining({ asset: 'USDT' })]),
  },
  {
    name: 'positions, version 2',
    call: async (sdk) => await sdk.getPositions({ symbol }),
    gives: [{ symbol, marginType: 'cross', leverage: '20' }],
  },
  {
    name: 'positions, version 3',
    call: afterBuying(async (sdk) => await sdk.getPositionsV3({ symbol })),
    gives: [{ positionAmt: '0.010', entryPrice: '60000.1' }],
  },
  {
    name: 'leverage',
    call: async (sdk) => await sdk.setLeverage({ symbol, leverage: 10 }),
    gives: { leverage: 10, symbol },
  },
  {
    name: 'margin type',
    call: async (sdk) => await sdk.setMarginType({ symbol, marginType: 'ISOLATED' }),
    gives: { code: 200 },
  },
  {
    name: 'position margin',
    call: async (sdk) => {
      await sdk.setMarginType({ symbol, marginType: 'ISOLATED' })
      await sdk.submitNewOrder(MARKET)
      return await sdk.setIsolatedPositionMargin({ symbol, amount: 10, type: '1' })
    },
    gives: { amount: 10, code: 200, msg: 'Successfully modify position margin.', type: 1 },
  },
  {
    name: 'position mode',
    call: async (sdk) => {
      const set = await sdk.setPositionMode({ dualSidePosition: 'true' })
      return { set, mode: await sdk.getCurrentPositionMode() }
    },
    gives: { set: { code: 200 }, mode: { dualSidePosition: true } },
  },
  {
    name: 'assets mode',
    call: async (sdk) => await sdk.getMultiAssetsMode(),
    gives: { multiAssetsMargin: false },
  },
  {
    name: 'brackets',
    call: async (sdk) => await sdk.getNotionalAndLeverageBrackets({ symbol }),
    gives: { symbol, brackets: expect.arrayContaining([expect.objectContaining({ initialLeverage: 125 })]) },
  },
  {
    name: 'commission',
    call: async (sdk) => await sdk.getAccountCommissionRate({ symbol }),
    gives: { makerCommissionRate: '0.000200', takerCommissionRate: '0.000500' },
  },
  {
    name: 'account settings',
    call: async (sdk) => await sdk.getFuturesAccountConfig(),
    gives: { dualSidePosition: false, canTrade: true },
  },
  {
    name: 'symbol settings',
    call: async (sdk) => await sdk.getFuturesSymbolConfig({ symbol }),
    gives: [{ symbol, marginType: 'CROSSED', leverage: 20 }],
  },
  {
    name: 'order limits',
    call: async (sdk) => await sdk.getUserForceOrders(),
    gives: [
      { interval: 'SECOND', limit: 300 },
      { interval: 'MINUTE', limit: 1_200 },
    ],
  },
  {
    name: 'income',
    call: afterBuying(async (sdk) => await sdk.getIncomeHistory({ incomeType: 'COMMISSION' })),
    gives: [{ symbol, incomeType: 'COMMISSION', income: '-0.30000050', asset: 'USDT' }],
  },
  { name: 'forced orders', call: async (sdk) => await sdk.getForceOrders({ symbol }), gives: [] },
  {
    name: 'listen key',
    call: async (sdk) => {
      const { listenKey } = await sdk.getFuturesUserDataListenKey()
      const renewed = await sdk.keepAliveFuturesUserDataListenKey()
      const again = await sdk.getFuturesUserDataListenKey()
      return {
        listenKey,
        renewed,
        isSame: again.listenKey === listenKey,
        closed: await sdk.closeFuturesUserDataListenKey(),
      }
    },
    gives: { listenKey: expect.stringMatching(/^[A-Za-z0-9]{64}$/), isSame: true, closed: {} },
  },
]

contract(SDK, [...market, ...trading, ...algos, ...account])

type SocketRow = Operation<WebsocketAPIClient>
const now = () => ({ timestamp: Date.now() })

const sockets: SocketRow[] = [
  {
    name: 'order book',
    call: async (sdk) => await sdk.getFuturesOrderBook({ symbol, limit: 5 }),
    gives: { status: 200, result: { bids: expect.any(Array) } },
  },
  {
    name: 'price',
    call: async (sdk) => await sdk.getFuturesSymbolPriceTicker({ symbol }),
    gives: { result: { symbol, price: expect.any(String) } },
  },
  {
    name: 'book ticker',
    call: async (sdk) => await sdk.getFuturesSymbolOrderBookTicker({ symbol }),
    gives: { result: { bidPrice: '59999.90' } },
  },
  {
    name: 'order',
    call: async (sdk) =>
      await sdk.submitNewFuturesOrder('usdm', { ...MARKET, quantity: '0.01', ...now() } as never),
    gives: {
      status: 200,
      result: { status: 'FILLED', executedQty: '0.010' },
      rateLimits: expect.arrayContaining([expect.objectContaining({ rateLimitType: 'ORDERS', limit: 300 })]),
    },
  },
  {
    name: 'changed and canceled order',
    call: async (sdk) => {
      const placed = await sdk.submitNewFuturesOrder('usdm', { ...LIMIT, ...now() } as never)
      const { orderId } = placed.result as unknown as { orderId: number }
      const changed = await sdk.modifyFuturesOrder('usdm', {
        symbol,
        orderId,
        side: 'BUY',
        quantity: '0.02',
        price: '58000',
        ...now(),
      } as never)
      const found = await sdk.getFuturesOrderStatus('usdm', { symbol, orderId, ...now() } as never)
      const canceled = await sdk.cancelFuturesOrder('usdm', { symbol, orderId, ...now() } as never)
      return { changed, found, canceled }
    },
    gives: {
      changed: { result: { origQty: '0.020' } },
      found: { result: { price: '58000.00', status: 'NEW' } },
      canceled: { result: { status: 'CANCELED' } },
    },
  },
  {
    name: 'conditional order',
    call: async (sdk) => {
      const placed = await sdk.submitNewFuturesAlgoOrder({ ...STOP, ...now() } as never)
      const { algoId } = placed.result as unknown as { algoId: number }
      return { placed, canceled: await sdk.cancelFuturesAlgoOrder({ algoId, ...now() } as never) }
    },
    gives: { placed: { result: { algoStatus: 'NEW' } }, canceled: { result: { code: '200' } } },
  },
  {
    name: 'account, version 1',
    call: async (sdk) => await sdk.getFuturesAccountStatus('usdm', now() as never),
    gives: { result: { canTrade: true } },
  },
  {
    name: 'account, version 2',
    call: async (sdk) => await sdk.getFuturesAccountStatusV2(now() as never),
    gives: { result: { positions: [] } },
  },
  {
    name: 'balance',
    call: async (sdk) => await sdk.getFuturesAccountBalanceV2(now() as never),
    gives: { result: expect.arrayContaining([expect.objectContaining({ asset: 'USDT' })]) },
  },
  {
    name: 'positions',
    call: async (sdk) => await sdk.getFuturesPositionV2(now() as never),
    gives: { result: [] },
  },
]

contract(SDK_WS, sockets)
