import { expect } from '@jest/globals'
import type { binanceusdm, Order } from 'ccxt'
import { contract, type Operation } from '../contract/suite.ts'
import { CCXT } from './clients.ts'

const BTC = 'BTC/USDT:USDT'
const ETH = 'ETH/USDT:USDT'

type Row = Operation<binanceusdm>

const buy = async (ccxt: binanceusdm, amount: number, params = {}) =>
  await ccxt.createOrder(BTC, 'market', 'buy', amount, undefined, params)
const hedge = async (ccxt: binanceusdm) => {
  await ccxt.loadMarkets()
  return await ccxt.setPositionMode(true, BTC)
}
const rest = async (ccxt: binanceusdm, params = {}) =>
  await ccxt.createOrder(BTC, 'limit', 'buy', 0.01, 59_000, params)
const conditional = async (ccxt: binanceusdm, params: object) =>
  await ccxt.createOrder(BTC, 'market', 'sell', 0.01, undefined, params)

const market: Row[] = [
  { name: 'ping', call: async (ccxt) => await ccxt.fapiPublicGetPing(), gives: {} },
  {
    name: 'time',
    call: async (ccxt) => ({ time: await ccxt.fetchTime() }),
    gives: { time: expect.any(Number) },
  },
  {
    name: 'markets',
    call: async (ccxt) => {
      await ccxt.loadMarkets()
      return { count: ccxt.symbols.length, market: ccxt.market(BTC) }
    },
    gives: {
      count: 7,
      market: {
        id: 'BTCUSDT',
        linear: true,
        swap: true,
        precision: { amount: 0.001, price: 0.1 },
        limits: { cost: { min: 100 } },
      },
    },
  },
  {
    name: 'order book',
    call: async (ccxt) => await ccxt.fetchOrderBook(BTC, 5),
    gives: {
      symbol: BTC,
      nonce: expect.any(Number),
      bids: expect.arrayContaining([[59_999.9, expect.any(Number)]]),
      asks: expect.arrayContaining([[60_000.1, expect.any(Number)]]),
    },
  },
  {
    name: 'ticker',
    call: async (ccxt) => await ccxt.fetchTicker(BTC),
    gives: { symbol: BTC, last: expect.any(Number), open: expect.any(Number), high: expect.any(Number) },
  },
  {
    name: 'tickers',
    call: async (ccxt) => await ccxt.fetchTickers([BTC, ETH]),
    gives: { [BTC]: { last: expect.any(Number) }, [ETH]: { last: 3_000 } },
  },
  {
    name: 'bids and asks',
    call: async (ccxt) => await ccxt.fetchBidsAsks([BTC]),
    gives: { [BTC]: { bid: 59_999.9, ask: 60_000.1, bidVolume: expect.any(Number) } },
  },
  {
    name: 'last prices',
    call: async (ccxt) => await ccxt.fetchLastPrices([BTC]),
    gives: { [BTC]: { price: expect.any(Number) } },
  },
  {
    name: 'mark price',
    call: async (ccxt) => await ccxt.fetchMarkPrice(BTC),
    gives: { markPrice: 60_000, indexPrice: 60_000 },
  },
  {
    name: 'funding rate',
    call: async (ccxt) => await ccxt.fetchFundingRate(BTC),
    gives: { symbol: BTC, markPrice: 60_000, fundingRate: 0.0001 },
  },
  {
    name: 'funding rate history',
    call: async (ccxt) => await ccxt.fetchFundingRateHistory(BTC),
    gives: [],
  },
  {
    name: 'public trades',
    call: async (ccxt) => {
      await buy(ccxt, 0.02)
      return (await ccxt.fetchTrades(BTC, undefined, 1))[0]
    },
    gives: { symbol: BTC, side: 'buy', price: 60_000.1, amount: 0.02 },
  },
  {
    name: 'recent trades',
    call: async (ccxt) => {
      await buy(ccxt, 0.02)
      return (await ccxt.fetchTrades(BTC, undefined, 1, { fetchTradesMethod: 'fapiPublicGetTrades' }))[0]
    },
    gives: { symbol: BTC, side: 'buy', price: 60_000.1, amount: 0.02 },
  },
  {
    name: 'candles',
    call: async (ccxt) => ({
      candles: (await ccxt.fetchOHLCV(BTC, '1m', undefined, 3)).map((row) => row.slice(1, 2)),
    }),
    gives: { candles: [[expect.any(Number)], [expect.any(Number)], [expect.any(Number)]] },
  },
  {
    name: 'mark candles',
    call: async (ccxt) => ({ last: (await ccxt.fetchMarkOHLCV(BTC, '1h', undefined, 2)).at(-1)?.[4] }),
    gives: { last: expect.any(Number) },
  },
  {
    name: 'open interest',
    call: async (ccxt) => await ccxt.fetchOpenInterest(BTC),
    gives: { symbol: BTC, openInterestAmount: 0 },
  },
]

const orders: Row[] = [
  {
    name: 'market order',
    call: async (ccxt) => await buy(ccxt, 0.01, { newClientOrderId: 'cMarket' }),
    gives: {
      symbol: BTC,
      type: 'market',
      side: 'buy',
      status: 'closed',
      amount: 0.01,
      filled: 0.01,
      remaining: 0,
      clientOrderId: 'cMarket',
      reduceOnly: false,
    },
  },
  {
    name: 'limit order',
    call: async (ccxt) => await rest(ccxt),
    gives: {
      type: 'limit',
      status: 'open',
      price: 59_000,
      amount: 0.01,
      filled: 0,
      timeInForce: 'GTC',
      postOnly: false,
    },
  },
  {
    name: 'post-only order',
    call: async (ccxt) => await rest(ccxt, { postOnly: true }),
    gives: { status: 'open', timeInForce: 'PO', postOnly: true },
  },
  {
    name: 'immediate-or-cancel order that finds nothing',
    call: async (ccxt) => await rest(ccxt, { timeInForce: 'IOC' }),
    gives: { status: 'expired', filled: 0, timeInForce: 'IOC' },
  },
  {
    name: 'fill-or-kill order',
    call: async (ccxt) => await ccxt.createOrder(BTC, 'limit', 'buy', 0.01, 60_100, { timeInForce: 'FOK' }),
    gives: { status: 'closed', filled: 0.01, timeInForce: 'FOK' },
  },
  {
    name: 'order good till a date',
    call: async (ccxt) => await rest(ccxt, { timeInForce: 'GTD', goodTillDate: Date.now() + 700_000 }),
    gives: { status: 'open', timeInForce: 'GTD' },
  },
  {
    name: 'reduce-only order',
    call: async (ccxt) => {
      await buy(ccxt, 0.01)
      return await ccxt.createOrder(BTC, 'market', 'sell', 0.05, undefined, { reduceOnly: true })
    },
    gives: { status: 'closed', side: 'sell', filled: 0.01, reduceOnly: true },
  },
  {
    name: 'hedged order',
    call: async (ccxt) => {
      await hedge(ccxt)
      const order = await buy(ccxt, 0.01, { hedged: true })
      return { order: order.info, positions: await ccxt.fetchPositions([BTC]) }
    },
    gives: { order: { positionSide: 'LONG' }, positions: [{ side: 'long', hedged: true, contracts: 0.01 }] },
  },
  {
    name: 'hedged reduce-only order',
    call: async (ccxt) => {
      await hedge(ccxt)
      await buy(ccxt, 0.02, { hedged: true })
      await ccxt.createOrder(BTC, 'market', 'sell', 0.01, undefined, { hedged: true, reduceOnly: true })
      return await ccxt.fetchPositions([BTC])
    },
    gives: [{ side: 'long', contracts: 0.01 }],
  },
  {
    name: 'several orders, one refused',
    call: async (ccxt) => {
      const one = { symbol: BTC, type: 'limit', side: 'buy', amount: 0.01, price: 59_000 } as const
      return await ccxt.createOrders([
        { ...one, params: { newClientOrderId: 'cBatch1' } },
        { ...one, price: 1_000 },
        { ...one, type: 'market' },
      ] as Parameters<typeof ccxt.createOrders>[0])
    },
    gives: [{ status: 'open', clientOrderId: 'cBatch1' }, { status: 'rejected' }, { status: 'closed' }],
  },
  {
    name: 'edited order',
    call: async (ccxt) => {
      const { id } = await rest(ccxt)
      return await ccxt.editOrder(`${id}`, BTC, 'limit', 'buy', 0.02, 58_000)
    },
    gives: { status: 'open', amount: 0.02, price: 58_000 },
  },
  {
    name: 'edited orders',
    call: async (ccxt) => {
      const { id } = await rest(ccxt)
      const one = { id, symbol: BTC, type: 'limit', side: 'buy', amount: 0.03, price: 58_500 }
      return await ccxt.editOrders([one] as unknown as Parameters<typeof ccxt.editOrders>[0])
    },
    gives: [{ status: 'open', amount: 0.03, price: 58_500 }],
  },
  {
    name: 'canceled order',
    call: async (ccxt) => await ccxt.cancelOrder(`${(await rest(ccxt)).id}`, BTC),
    gives: { status: 'canceled', filled: 0 },
  },
  {
    name: 'order canceled by client id',
    call: async (ccxt) => {
      await rest(ccxt, { newClientOrderId: 'cCancel' })
      return await ccxt.cancelOrder('', BTC, { origClientOrderId: 'cCancel' })
    },
    gives: { status: 'canceled', clientOrderId: 'cCancel' },
  },
  {
    name: 'orders canceled together',
    call: async (ccxt) => {
      const made = [await rest(ccxt), await rest(ccxt)]
      // It leaves out the one that is refused.
      return await ccxt.cancelOrders([...made.map(({ id }) => `${id}`), '7'], BTC)
    },
    gives: [{ status: 'canceled' }, { status: 'canceled' }],
  },
  {
    name: 'orders canceled together by client id',
    call: async (ccxt) => {
      await rest(ccxt, { newClientOrderId: 'cMany1' })
      await rest(ccxt, { newClientOrderId: 'cMany2' })
      return await ccxt.cancelOrders([], BTC, { clientOrderIds: ['cMany1', 'cMany2'] })
    },
    gives: [{ clientOrderId: 'cMany1' }, { clientOrderId: 'cMany2' }],
  },
  {
    name: 'all orders canceled',
    call: async (ccxt) => {
      await rest(ccxt)
      await rest(ccxt)
      const [answer] = (await ccxt.cancelAllOrders(BTC)) as Order[]
      return { info: answer?.info, left: await ccxt.fetchOpenOrders(BTC) }
    },
    gives: { info: { code: 200, msg: 'The operation of cancel all open order is done.' }, left: [] },
  },
  {
    name: 'cancel all after a while',
    call: async (ccxt) =>
      await ccxt.fapiPrivatePostCountdownCancelAll({ symbol: 'BTCUSDT', countdownTime: 60_000 }),
    gives: { symbol: 'BTCUSDT', countdownTime: '60000' },
  },
]

const reads: Row[] = [
  {
    name: 'order by id',
    call: async (ccxt) => await ccxt.fetchOrder(`${(await buy(ccxt, 0.01)).id}`, BTC),
    gives: { status: 'closed', amount: 0.01, average: 60_000.1 },
  },
  {
    name: 'order by client id',
    call: async (ccxt) => {
      await buy(ccxt, 0.01, { newClientOrderId: 'cFind' })
      return await ccxt.fetchOrder('', BTC, { clientOrderId: 'cFind' })
    },
    gives: { status: 'closed', clientOrderId: 'cFind' },
  },
  {
    name: 'open order',
    call: async (ccxt) => await ccxt.fetchOpenOrder(`${(await rest(ccxt)).id}`, BTC),
    gives: { status: 'open', price: 59_000 },
  },
  {
    name: 'open orders',
    call: async (ccxt) => {
      await rest(ccxt)
      return {
        here: await ccxt.fetchOpenOrders(BTC),
        anywhere: await ccxt.fetchOpenOrders(),
        there: await ccxt.fetchOpenOrders(ETH),
      }
    },
    gives: { here: [{ price: 59_000 }], anywhere: [{ price: 59_000 }], there: [] },
  },
  {
    name: 'all orders',
    call: async (ccxt) => {
      await rest(ccxt)
      await buy(ccxt, 0.01)
      return await ccxt.fetchOrders(BTC)
    },
    gives: [{ status: 'open' }, { status: 'closed' }],
  },
  {
    name: 'closed and canceled orders',
    call: async (ccxt) => {
      await ccxt.cancelOrder(`${(await rest(ccxt)).id}`, BTC)
      await buy(ccxt, 0.01)
      return { closed: await ccxt.fetchClosedOrders(BTC), canceled: await ccxt.fetchCanceledOrders(BTC) }
    },
    gives: { closed: [{ status: 'closed' }], canceled: [{ status: 'canceled' }] },
  },
  {
    name: 'own trades',
    call: async (ccxt) => {
      await buy(ccxt, 0.01)
      return await ccxt.fetchMyTrades(BTC)
    },
    gives: [
      {
        side: 'buy',
        price: 60_000.1,
        amount: 0.01,
        takerOrMaker: 'taker',
        fee: { cost: 0.3000005, currency: 'USDT' },
      },
    ],
  },
  {
    name: 'balance',
    call: async (ccxt) => {
      await buy(ccxt, 0.1)
      return await ccxt.fetchBalance()
    },
    gives: { USDT: { used: 300, total: expect.any(Number) } },
  },
  {
    name: 'balance, version 2',
    call: async (ccxt) => await ccxt.fetchBalance({ useV2: true }),
    gives: { USDT: { free: 100_000, used: 0 } },
  },
  {
    name: 'positions',
    call: async (ccxt) => {
      await buy(ccxt, 0.1)
      return await ccxt.fetchPositions([BTC])
    },
    gives: [
      {
        symbol: BTC,
        side: 'long',
        contracts: 0.1,
        entryPrice: 60_000.1,
        markPrice: 60_000,
        notional: 6_000,
        marginMode: 'cross',
        hedged: false,
      },
    ],
  },
  {
    name: 'positions, version 2',
    call: async (ccxt) => {
      await ccxt.createOrder(BTC, 'market', 'sell', 0.1)
      return await ccxt.fetchPositions([BTC], { useV2: true })
    },
    gives: [{ side: 'short', contracts: 0.1, leverage: 20, marginMode: 'cross', entryPrice: 59_999.9 }],
  },
  {
    name: 'positions by account',
    call: async (ccxt) => {
      await buy(ccxt, 0.1)
      return await ccxt.fetchPositions([BTC], { method: 'account' })
    },
    gives: [{ symbol: BTC, side: 'long', contracts: 0.1 }],
  },
  {
    name: 'trading fee',
    call: async (ccxt) => await ccxt.fetchTradingFee(BTC),
    gives: { maker: 0.0002, taker: 0.0005 },
  },
  {
    name: 'trading fees',
    call: async (ccxt) => await ccxt.fetchTradingFees(),
    gives: { [BTC]: expect.anything() },
  },
  {
    name: 'leverage tiers',
    call: async (ccxt) => (await ccxt.fetchLeverageTiers([BTC]))[BTC]?.[0],
    gives: { maxLeverage: 125, maintenanceMarginRate: 0.004, minNotional: 0 },
  },
  {
    name: 'leverage',
    call: async (ccxt) => await ccxt.fetchLeverage(BTC),
    gives: { longLeverage: 20, marginMode: 'cross' },
  },
  {
    name: 'margin mode',
    call: async (ccxt) => await ccxt.fetchMarginMode(BTC),
    gives: { marginMode: 'cross' },
  },
  { name: 'position mode', call: async (ccxt) => await ccxt.fetchPositionMode(), gives: { hedged: false } },
  {
    name: 'ledger',
    call: async (ccxt) => {
      await buy(ccxt, 0.01)
      await ccxt.createOrder(BTC, 'market', 'sell', 0.01)
      return await ccxt.fetchLedger('USDT')
    },
    gives: [
      { type: 'commission', amount: 0.3000005, direction: 'out' },
      expect.objectContaining({ currency: 'USDT' }),
      expect.objectContaining({ currency: 'USDT' }),
    ],
  },
  { name: 'funding payments', call: async (ccxt) => await ccxt.fetchFundingHistory(BTC), gives: [] },
  { name: 'own liquidations', call: async (ccxt) => await ccxt.fetchMyLiquidations(BTC), gives: [] },
  {
    name: 'margin adjustments',
    call: async (ccxt) => await ccxt.fetchMarginAdjustmentHistory(BTC),
    gives: [],
  },
]

const settings: Row[] = [
  {
    name: 'leverage set',
    call: async (ccxt) => {
      const answer = await ccxt.setLeverage(50, BTC)
      return { answer, leverage: await ccxt.fetchLeverage(BTC) }
    },
    gives: {
      answer: { leverage: 50, symbol: 'BTCUSDT', maxNotionalValue: '12000000' },
      leverage: { longLeverage: 50 },
    },
  },
  {
    name: 'margin mode set',
    call: async (ccxt) => {
      const answer = await ccxt.setMarginMode('isolated', BTC)
      return { answer, mode: await ccxt.fetchMarginMode(BTC) }
    },
    gives: { answer: { code: 200, msg: 'success' }, mode: { marginMode: 'isolated' } },
  },
  {
    name: 'margin added and taken',
    call: async (ccxt) => {
      await ccxt.setMarginMode('isolated', BTC)
      await buy(ccxt, 0.1)
      const added = await ccxt.addMargin(BTC, 100)
      const [position] = await ccxt.fetchPositions([BTC], { useV2: true })
      return { added, position, taken: await ccxt.reduceMargin(BTC, 50) }
    },
    gives: {
      added: { type: 'add', amount: 100, status: 'ok' },
      position: { marginMode: 'isolated' },
      taken: { type: 'reduce', amount: 50 },
    },
  },
  {
    name: 'position mode set',
    call: async (ccxt) => {
      const answer = await hedge(ccxt)
      return { answer, mode: await ccxt.fetchPositionMode() }
    },
    gives: { answer: { code: 200, msg: 'success' }, mode: { hedged: true } },
  },
]

const algos: Row[] = [
  {
    name: 'stop at market',
    call: async (ccxt) => await conditional(ccxt, { stopLossPrice: 58_000, clientAlgoId: 'cStop' }),
    gives: {
      status: 'open',
      triggerPrice: 58_000,
      amount: 0.01,
      side: 'sell',
      clientOrderId: 'cStop',
      info: { orderType: 'STOP_MARKET', algoStatus: 'NEW', workingType: 'CONTRACT_PRICE' },
    },
  },
  {
    name: 'stop with a limit',
    call: async (ccxt) =>
      await ccxt.createOrder(BTC, 'limit', 'sell', 0.01, 57_900, { triggerPrice: 58_000 }),
    gives: { status: 'open', price: 57_900, triggerPrice: 58_000, info: { orderType: 'STOP' } },
  },
  {
    name: 'take profit at market',
    call: async (ccxt) => await conditional(ccxt, { takeProfitPrice: 62_000, workingType: 'MARK_PRICE' }),
    gives: {
      status: 'open',
      triggerPrice: 62_000,
      info: { orderType: 'TAKE_PROFIT_MARKET', workingType: 'MARK_PRICE' },
    },
  },
  {
    name: 'take profit with a limit',
    call: async (ccxt) =>
      await ccxt.createOrder(BTC, 'limit', 'sell', 0.01, 62_100, { takeProfitPrice: 62_000 }),
    gives: { price: 62_100, info: { orderType: 'TAKE_PROFIT' } },
  },
  {
    name: 'trailing stop',
    call: async (ccxt) => await conditional(ccxt, { trailingPercent: 1.5, trailingTriggerPrice: 61_000 }),
    gives: {
      status: 'open',
      info: { orderType: 'TRAILING_STOP_MARKET', callbackRate: '1.5', activatePrice: '61000.00' },
    },
  },
  {
    name: 'stop that closes the position',
    call: async (ccxt) => {
      await buy(ccxt, 0.01)
      return await conditional(ccxt, { stopLossPrice: 58_000, closePosition: true })
    },
    gives: { status: 'open', info: { closePosition: true } },
  },
  {
    name: 'conditional order read',
    call: async (ccxt) => {
      await conditional(ccxt, { stopLossPrice: 58_000 })
      const trigger = { trigger: true }
      return {
        open: await ccxt.fetchOpenOrders(BTC, undefined, undefined, trigger),
        all: await ccxt.fetchOrders(BTC, undefined, undefined, trigger),
        plain: await ccxt.fetchOpenOrders(BTC),
      }
    },
    gives: {
      open: [{ triggerPrice: 58_000, info: { isActivated: false } }],
      all: [{ triggerPrice: 58_000 }],
      plain: [],
    },
  },
  {
    name: 'conditional order read by client id',
    call: async (ccxt) => {
      await conditional(ccxt, { stopLossPrice: 58_000, clientAlgoId: 'cAlgoFind' })
      return await ccxt.fetchOrder('', BTC, { trigger: true, clientOrderId: 'cAlgoFind' })
    },
    gives: { status: 'open', clientOrderId: 'cAlgoFind' },
  },
  {
    name: 'conditional order canceled',
    call: async (ccxt) => {
      const { id } = await conditional(ccxt, { stopLossPrice: 58_000 })
      const answer = await ccxt.cancelOrder(`${id}`, BTC, { trigger: true })
      const found = await ccxt.fetchOrders(BTC, undefined, undefined, { trigger: true })
      return { answer: answer.info, after: found.find((one) => one.id === id) }
    },
    gives: { answer: { code: '200', msg: 'success' }, after: { status: 'canceled' } },
  },
  {
    name: 'all conditional orders canceled',
    call: async (ccxt) => {
      await conditional(ccxt, { stopLossPrice: 58_000 })
      await conditional(ccxt, { takeProfitPrice: 62_000 })
      await ccxt.cancelAllOrders(BTC, { trigger: true })
      return await ccxt.fetchOpenOrders(BTC, undefined, undefined, { trigger: true })
    },
    gives: [],
  },
  {
    name: 'stop that triggers',
    call: async (ccxt, { pin }) => {
      await buy(ccxt, 0.01)
      const { id } = await conditional(ccxt, { stopLossPrice: 58_000, reduceOnly: true })
      await pin('BTCUSDT', { bid: '57899.9', ask: '57900.1' })
      const found = await ccxt.fetchOrders(BTC, undefined, undefined, { trigger: true })
      return {
        algo: found.find((one) => one.id === id),
        positions: await ccxt.fetchPositions([BTC]),
        trade: (await ccxt.fetchMyTrades(BTC)).at(-1),
      }
    },
    gives: {
      algo: {
        status: 'closed',
        info: { algoStatus: 'FINISHED', actualOrderId: expect.stringMatching(/^\d+$/) },
      },
      positions: [],
      trade: { side: 'sell', amount: 0.01, price: 57_899.9 },
    },
  },
]

contract(CCXT, [...market, ...orders, ...reads, ...settings, ...algos])
