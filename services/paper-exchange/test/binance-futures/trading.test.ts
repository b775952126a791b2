import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { binanceusdm } from 'ccxt'
import { type Credentials, type Paper, startPaper } from '../paper.ts'
import { connect } from './ccxt-client.ts'

const BTC = 'BTC/USDT:USDT'

let paper: Paper
let credentials: Credentials
let exchange: binanceusdm

beforeAll(async () => {
  paper = await startPaper()
})

afterAll(async () => await paper.stop())

async function fresh(balances?: Record<string, string>): Promise<binanceusdm> {
  credentials = await paper.open(balances)
  exchange = connect(paper, credentials)
  return exchange
}

const tag = (clientOrderId: string) => ({ newClientOrderId: clientOrderId })
const byClientId = async (id: string) => await exchange.fetchOrder('', BTC, { origClientOrderId: id })

describe('unmodified ccxt reads', () => {
  test('the markets with their filters', async () => {
    await fresh()
    await exchange.loadMarkets()
    const market = exchange.market(BTC)
    expect(exchange.symbols).toHaveLength(7)
    expect(market).toMatchObject({ id: 'BTCUSDT', type: 'swap', linear: true, active: true, contractSize: 1 })
    expect(market.precision).toMatchObject({ amount: 0.001, price: 0.1 })
    expect(market.limits).toMatchObject({ amount: { min: 0.001, max: 1000 }, cost: { min: 100 } })
    expect(exchange.market('1000PEPE/USDT:USDT').precision).toMatchObject({ amount: 1, price: 1e-7 })
    // The limit is of the account since 2025-12, over all symbols.
    expect(JSON.stringify(market.info)).not.toContain('MAX_NUM_ALGO_ORDERS')
  })

  test('the balance of a new account', async () => {
    await fresh()
    expect((await exchange.fetchBalance())['USDT']).toEqual({ free: 10_000, used: 0, total: 10_000 })
    expect((await exchange.fetchBalance({ useV2: true }))['USDT']).toMatchObject({ total: 10_000 })
  })

  test('prices, position mode, leverage, fees and the time', async () => {
    await fresh()
    expect((await exchange.fetchBidsAsks([BTC]))[BTC]).toMatchObject({ bid: 59_999.9, ask: 60_000.1 })
    expect(await exchange.fetchTicker(BTC)).toMatchObject({ last: 60_000 })
    expect(await exchange.fetchMarkPrice(BTC)).toMatchObject({ markPrice: 60_000 })
    expect(await exchange.fetchPositionMode()).toMatchObject({ hedged: false })
    expect((await exchange.fetchLeverages([BTC]))[BTC]).toMatchObject({
      longLeverage: 20,
      marginMode: 'cross',
    })
    expect(await exchange.fetchTradingFee(BTC)).toMatchObject({ maker: 0.0002, taker: 0.0005 })
    expect((await exchange.fetchLeverageTiers([BTC]))[BTC]?.[0]).toMatchObject({ maxLeverage: 125 })
    expect(await exchange.fetchOpenOrders(BTC, undefined, undefined, { trigger: true })).toEqual([])
    expect(Math.abs(((await exchange.fetchTime()) ?? 0) - Date.now())).toBeLessThan(5_000)
  })
})

describe('unmodified ccxt trades', () => {
  test('a market buy is filled at the ask and can be found by client id, by id and in the lists', async () => {
    await fresh()
    const order = await exchange.createOrder(BTC, 'market', 'buy', 0.01, undefined, tag('tBuy1'))
    expect(order).toMatchObject({ status: 'closed', filled: 0.01, clientOrderId: 'tBuy1' })
    expect(await byClientId('tBuy1')).toMatchObject({
      id: order.id,
      status: 'closed',
      amount: 0.01,
      cost: 600.001,
    })
    expect(await exchange.fetchOrder(`${order.id}`, BTC)).toMatchObject({ clientOrderId: 'tBuy1' })
    expect(await exchange.fetchOrders(BTC, Date.now() - 60_000)).toHaveLength(1)
    expect(await exchange.fetchOrders(BTC, Date.now() + 60_000)).toEqual([])
    expect(await exchange.fetchMyTrades(BTC)).toMatchObject([
      {
        order: order.id,
        price: 60_000.1,
        amount: 0.01,
        takerOrMaker: 'taker',
        fee: { cost: 0.3000005, currency: 'USDT' },
      },
    ])
  })

  test('a position has its average entry, its profit and its margin, and the wallet pays the fees', async () => {
    await fresh()
    await exchange.createOrder(BTC, 'market', 'buy', 0.01)
    await paper.control('PUT', 'prices/BTCUSDT', { bid: '61999.9', ask: '62000.1' })
    await exchange.createOrder(BTC, 'market', 'buy', 0.03)
    const [position] = await exchange.fetchPositions([BTC])
    await paper.control('DELETE', 'prices/BTCUSDT')
    expect(position).toMatchObject({
      side: 'long',
      contracts: 0.04,
      entryPrice: 61_500.1,
      unrealizedPnl: 19.996,
    })
    const balance = await exchange.fetchBalance()
    // 10,000 less 0.05 % of 600.001 and of 1,860.003; at the mark price of 60,000 the position is 60.004 under water.
    expect(balance['USDT']?.total).toBeCloseTo(10_000 - 0.3000005 - 0.9300015 - 60.004, 8)
    expect(balance['USDT']?.used).toBe(120)
  })

  test('a sell beyond the position flips it, and reduce-only closes without flipping', async () => {
    await fresh()
    await exchange.createOrder(BTC, 'market', 'buy', 0.01)
    await exchange.createOrder(BTC, 'market', 'sell', 0.03)
    expect(await exchange.fetchPositions([BTC])).toMatchObject([
      { side: 'short', contracts: 0.02, entryPrice: 59_999.9 },
    ])
    const close = await exchange.createOrder(BTC, 'market', 'buy', 0.05, undefined, { reduceOnly: true })
    expect(close).toMatchObject({ filled: 0.02, amount: 0.02, reduceOnly: true })
    expect(await exchange.fetchPositions([BTC])).toEqual([])
  })

  test('a limit order rests, fills when the market comes, and can be canceled', async () => {
    await fresh()
    const resting = await exchange.createOrder(BTC, 'limit', 'buy', 0.01, 59_500)
    expect(resting.status).toBe('open')
    expect((await exchange.fetchBalance())['USDT']?.used).toBeCloseTo(29.75, 8)
    await paper.control('PUT', 'prices/BTCUSDT', { bid: '59499.8', ask: '59499.9' })
    expect(await exchange.fetchOrder(`${resting.id}`, BTC)).toMatchObject({
      status: 'closed',
      average: 59_500,
    })
    await paper.control('DELETE', 'prices/BTCUSDT')
    const other = await exchange.createOrder(BTC, 'limit', 'buy', 0.01, 59_500)
    expect(await exchange.fetchOpenOrders(BTC)).toHaveLength(1)
    expect(await exchange.cancelOrder(`${other.id}`, BTC)).toMatchObject({ status: 'canceled' })
    expect(await exchange.fetchOpenOrders(BTC)).toEqual([])
  })
})

describe('the rule of client order ids', () => {
  test('an id is refused while its order is open', async () => {
    await fresh()
    const open = await exchange.createOrder(BTC, 'limit', 'buy', 0.01, 59_000, tag('tSame'))
    const again = exchange.createOrder(BTC, 'market', 'buy', 0.01, undefined, tag('tSame'))
    await expect(again).rejects.toThrow('"code":-4116')
    await exchange.cancelOrder(`${open.id}`, BTC)
    await exchange.createOrder(BTC, 'market', 'buy', 0.01, undefined, tag('tSame'))
  })

  test('an id is free again once its order is filled, and sending it twice buys twice', async () => {
    await fresh()
    const first = await exchange.createOrder(BTC, 'market', 'buy', 0.01, undefined, tag('tTwice'))
    const second = await exchange.createOrder(BTC, 'market', 'buy', 0.01, undefined, tag('tTwice'))
    expect(second.id).not.toBe(first.id)
    expect(await exchange.fetchPositions([BTC])).toMatchObject([{ contracts: 0.02 }])
    expect((await byClientId('tTwice')).id).toBe(second.id)
  })
})

describe('unmodified ccxt meets the venue’s refusals', () => {
  const cases: [name: string, code: number, attempt: (exchange: binanceusdm) => Promise<unknown>][] = [
    ['an unknown order', -2013, async () => await byClientId('tNever')],
    ['a cancel of an unknown order', -2011, async (ccxt) => await ccxt.cancelOrder('1', BTC)],
    ['more than the margin allows', -2019, async (ccxt) => await ccxt.createOrder(BTC, 'market', 'buy', 5)],
    [
      'less than the least notional',
      -4164,
      async (ccxt) => await ccxt.createOrder(BTC, 'market', 'buy', 0.001),
    ],
    [
      'reduce-only without a position',
      -2022,
      async (ccxt) => await ccxt.createOrder(BTC, 'market', 'sell', 0.01, undefined, { reduceOnly: true }),
    ],
    [
      'more than one order may hold',
      -4005,
      async (ccxt) => await ccxt.createOrder(BTC, 'market', 'buy', 121),
    ],
    [
      'a client id that is too long',
      -4015,
      async (ccxt) => await ccxt.createOrder(BTC, 'market', 'buy', 0.01, undefined, tag('t'.repeat(37))),
    ],
    [
      'a client id with illegal characters',
      -1100,
      async (ccxt) => await ccxt.createOrder(BTC, 'market', 'buy', 0.01, undefined, tag('t!')),
    ],
    [
      'a conditional order at the plain endpoint',
      -4120,
      async (ccxt) =>
        await ccxt.fapiPrivatePostOrder({ symbol: 'BTCUSDT', side: 'BUY', type: 'STOP_MARKET', quantity: 1 }),
    ],
    [
      'post-only that would take',
      -5022,
      async (ccxt) => await ccxt.createOrder(BTC, 'limit', 'buy', 0.01, 60_500, { postOnly: true }),
    ],
    [
      'a price outside the band',
      -4016,
      async (ccxt) => await ccxt.createOrder(BTC, 'limit', 'buy', 0.01, 70_000),
    ],
  ]

  test.each(cases)('%s', async (_name, code, attempt) => {
    await fresh()
    await exchange.loadMarkets()
    await expect(attempt(exchange)).rejects.toThrow(`"code":${code},`)
  })

  test('a wrong secret, an unknown key and a stale clock', async () => {
    await fresh()
    const { apiKey, secret } = credentials
    const refusal = async (client: binanceusdm) => await client.fapiPrivateGetOpenOrders().catch(String)
    expect(await refusal(connect(paper, { apiKey, secret: 'other' }))).toContain('"code":-1022,')
    expect(await refusal(connect(paper, { apiKey: 'nobody', secret }))).toContain('"code":-2015,')
    const late = connect(paper, credentials)
    late.nonce = () => Date.now() - 10_500
    expect(await refusal(late)).toContain('"code":-1021,')
  })
})
