import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { paperExchange, type TestPaper } from '@tripline/testkit/paper-exchange'
import type { OrderPlan, Placement } from '../../src/domain/order/order.ts'
import { newId, openTrader, planOf, refOf, type Trader } from './binance-rig.ts'

let paper: TestPaper
let trader: Trader
beforeAll(async () => {
  // A look-up right after a change is compared with it: reads show it at once.
  paper = await paperExchange({ PAPER_READ_LAG_MS: '0' })
})
beforeEach(async () => {
  await paper.pinPrices('BTCUSDT', at('60000'))
  trader = await openTrader(paper, 'spot')
})
afterEach(async () => {
  await paper.clearFaults()
  await trader.close()
})
afterAll(async () => await paper.stop())

const at = (price: string) => ({ bid: price, ask: price, last: price })
const symbol = 'BTCUSDT'
const gtc = { timeInForce: 'gtc', trigger: 'last' } as const

const resting: [string, Partial<OrderPlan>][] = [
  ['limit', { type: 'limit', price: '59000', timeInForce: 'gtc' }],
  ['limit', { type: 'limit', price: '59000', timeInForce: 'postOnly' }],
  ['stop', { type: 'stop', side: 'sell', triggerPrice: '58000', trigger: 'last' }],
  ['stop', { type: 'stop', triggerPrice: '62000', trigger: 'last' }],
  ['stopLimit', { type: 'stopLimit', side: 'sell', triggerPrice: '58000', price: '57900', ...gtc }],
  ['takeProfit', { type: 'takeProfit', side: 'sell', triggerPrice: '62000', trigger: 'last' }],
  [
    'takeProfitLimit',
    { type: 'takeProfitLimit', side: 'sell', triggerPrice: '62000', price: '62000', ...gtc },
  ],
]

describe('an order that rests', () => {
  test.each(resting)(
    'of type %s is placed, found, listed, canceled once, and gone then',
    async (type, plan) => {
      const { venue } = trader
      const clientOrderId = newId()
      const placed = await trader.placed({ clientOrderId, ...plan })
      const isConditional = type !== 'limit'
      const seen = {
        clientOrderId,
        venueOrderId: placed.venueOrderId,
        type,
        side: plan.side ?? 'buy',
        status: isConditional ? 'untriggered' : 'open',
        quantity: '0.01',
        filled: '0',
        averagePrice: null,
        price: plan.price ?? null,
        triggerPrice: plan.triggerPrice ?? null,
        isConditional,
        reduceOnly: false,
      }
      expect(placed).toMatchObject(seen)
      const ref = refOf({ clientOrderId, type: placed.type as OrderPlan['type'] })
      expect(await venue.lookUp(ref)).toMatchObject({ outcome: 'found', order: seen })
      expect(await venue.openOrders(symbol)).toMatchObject({ outcome: 'read', orders: [seen] })
      expect(await venue.cancel(ref)).toMatchObject({
        outcome: 'canceled',
        order: { ...seen, status: 'canceled' },
      })
      expect(await venue.cancel({ ...ref, venueOrderId: placed.venueOrderId })).toMatchObject({
        outcome: 'gone',
        order: { clientOrderId, status: 'canceled' },
      })
      expect(await venue.openOrders(symbol)).toEqual({ outcome: 'read', orders: [] })
    },
  )

  test('and never was is absent, and gone where it is to be canceled', async () => {
    const ref = refOf({ clientOrderId: newId(), type: 'limit' })
    expect(await trader.venue.lookUp(ref)).toEqual({ outcome: 'absent' })
    expect(await trader.venue.cancel(ref)).toEqual({ outcome: 'gone', order: undefined })
  })
})

describe('an order that fills', () => {
  test('reports its price and its fee at once', async () => {
    const clientOrderId = newId()
    const order = await trader.placed({ clientOrderId })
    expect(order).toMatchObject({
      type: 'market',
      status: 'filled',
      filled: '0.01',
      averagePrice: '60000',
      fee: { coin: 'BTC' },
    })
    const found = await trader.venue.lookUp(refOf({ clientOrderId, type: 'market' }))
    expect(found).toMatchObject({ outcome: 'found', order: { status: 'filled', fee: order.fee } })
  })

  test('pays its fee in BNB where there is some, keeps all that it bought, and all of that is sold again', async () => {
    const owner = await openTrader(paper, 'spot', { balances: { USDT: '100000', BNB: '1' } })
    const paidInBnb = { status: 'filled', filled: '0.01', fee: { coin: 'BNB' } }
    const clientOrderId = newId()
    expect(await owner.placed({ clientOrderId })).toMatchObject(paidInBnb)
    const found = await owner.venue.lookUp(refOf({ clientOrderId, type: 'market' }))
    expect(found).toMatchObject({ outcome: 'found', order: paidInBnb })
    expect(await owner.venue.read(symbol)).toMatchObject({ account: { position: '0.01' } })
    expect(await owner.placed({ side: 'sell' })).toMatchObject(paidInBnb)
    expect(await owner.venue.read(symbol)).toMatchObject({ account: { position: '0' } })
    await owner.close()
  })

  test('spends the amount it names', async () => {
    const order = await trader.placed({ quantity: '0', quoteQuantity: '600' })
    expect(order).toMatchObject({ status: 'filled', filled: '0.01' })
  })

  test.each(['ioc', 'fok'] as const)(
    'now or never (%s) ends unfilled where nothing is to be had',
    async (timeInForce) => {
      const order = await trader.placed({ type: 'limit', price: '59000', timeInForce })
      expect(order).toMatchObject({ status: 'expired', filled: '0', fee: null })
    },
  )
})

test('an order that was triggered is found as the order it became', async () => {
  const stop = { clientOrderId: newId(), type: 'stop', side: 'sell', triggerPrice: '58000' } as const
  const resting = { clientOrderId: newId(), type: 'stopLimit', side: 'sell', triggerPrice: '58000' } as const
  await trader.placed(stop)
  await trader.placed({ ...resting, price: '59500', timeInForce: 'gtc' })
  await paper.pinPrices(symbol, at('57900'))
  expect(await trader.venue.lookUp(refOf(stop))).toMatchObject({
    order: { status: 'filled', type: 'stop', isConditional: true, fee: { coin: 'USDT' } },
  })
  expect(await trader.venue.lookUp(refOf(resting))).toMatchObject({ order: { status: 'open' } })
  expect(await trader.venue.openOrders(symbol)).toMatchObject({
    orders: [{ clientOrderId: resting.clientOrderId, status: 'open' }],
  })
  expect(await trader.venue.cancel(refOf(resting))).toMatchObject({ outcome: 'canceled' })
})

describe('a pair of which one ends the other', () => {
  const saleAtLimitOrStop: [Partial<OrderPlan>, Partial<OrderPlan>] = [
    { type: 'stop', side: 'sell', triggerPrice: '58000' },
    { type: 'limit', side: 'sell', price: '62000' },
  ]
  const pairs: [string, Partial<OrderPlan>, Partial<OrderPlan>][] = [
    ['a sale at a limit or at a stop', ...saleAtLimitOrStop],
    [
      'a sale at a stop with a limit or at a profit',
      { type: 'stopLimit', side: 'sell', triggerPrice: '58000', price: '57900' },
      { type: 'takeProfitLimit', side: 'sell', triggerPrice: '62000', price: '62000' },
    ],
    [
      'a purchase at a limit or at a stop',
      { type: 'stop', side: 'buy', triggerPrice: '62000' },
      { type: 'limit', side: 'buy', price: '58000' },
    ],
  ]

  async function placePair(one: Partial<OrderPlan>, other: Partial<OrderPlan>) {
    const shared = { quantity: '0.01000', timeInForce: 'gtc' } as const
    const pair = [planOf({ ...one, ...shared }), planOf({ ...other, ...shared })] as const
    const placed: readonly Placement[] = (await trader.venue.placeOco?.(pair, () => undefined)) ?? []
    return { pair, placed }
  }

  test.each(pairs)('is %s', async (_name, one, other) => {
    const { pair, placed } = await placePair(one, other)
    expect(placed).toMatchObject(
      pair.map(({ clientOrderId, type }) => ({
        outcome: 'done',
        order: { clientOrderId, type, status: type === 'limit' ? 'open' : 'untriggered' },
      })),
    )
    expect(await trader.venue.openOrders(symbol)).toMatchObject({ orders: [{}, {}] })
    expect(await trader.venue.cancel(refOf(pair[0]))).toMatchObject({
      outcome: 'canceled',
      order: { clientOrderId: pair[0].clientOrderId, status: 'canceled' },
    })
    expect(await trader.venue.openOrders(symbol)).toEqual({ outcome: 'read', orders: [] })
    expect(await trader.venue.cancel(refOf(pair[1]))).toMatchObject({ outcome: 'gone' })
  })

  test('ends as one is filled', async () => {
    const { pair } = await placePair(...saleAtLimitOrStop)
    await paper.pinPrices(symbol, at('62100'))
    expect(await trader.venue.lookUp(refOf(pair[1]))).toMatchObject({ order: { status: 'filled' } })
    expect(await trader.venue.lookUp(refOf(pair[0]))).toMatchObject({ order: { status: 'expired' } })
  })

  test('is refused as a whole where its prices do not fit, or its quantities differ', async () => {
    const wrong = await placePair(
      { type: 'stop', side: 'sell', triggerPrice: '59000' },
      { type: 'limit', side: 'sell', price: '58500' },
    )
    expect(wrong.placed).toMatchObject([
      { outcome: 'refused', code: 'E511' },
      { outcome: 'refused', code: 'E511' },
    ])
    const unequal = [
      planOf({ type: 'stop', side: 'sell', triggerPrice: '58000', quantity: '0.02000' }),
      planOf({ type: 'limit', side: 'sell', price: '62000', quantity: '0.01000' }),
    ] as const
    const placed = await trader.venue.placeOco?.(unequal, () => undefined)
    expect(placed).toMatchObject([{ outcome: 'refused', code: 'E404' }, { outcome: 'refused' }])
    expect(await trader.venue.openOrders(symbol)).toEqual({ outcome: 'read', orders: [] })
  })

  test('is unknown as a whole where nothing is answered, and can be looked up', async () => {
    await paper.addFault({ match: { path: '/api/v3/orderList' }, action: 'accept-then-drop', count: 1 })
    const { pair, placed } = await placePair(...saleAtLimitOrStop)
    expect(placed).toMatchObject([{ outcome: 'unknown' }, { outcome: 'unknown' }])
    for (const plan of pair)
      expect(await trader.venue.lookUp(refOf(plan))).toMatchObject({ outcome: 'found' })
  })
})

test('the account is read without settings, and has none to change', async () => {
  expect(await trader.venue.read(symbol)).toMatchObject({
    outcome: 'read',
    account: { coin: 'USDT', available: expect.stringMatching(/^100000/), settings: null, entryPrice: null },
  })
  expect(await trader.venue.changeSettings(symbol, { leverage: '5' })).toMatchObject({
    outcome: 'refused',
    code: 'E404',
  })
})

test('a market reports its abilities', () => {
  expect(trader.venue.market(symbol)).toMatchObject({
    kind: 'spot',
    maxLeverage: undefined,
    features: {
      nativeOco: true,
      conditional: true,
      reduceOnly: false,
      hedge: false,
      leverage: false,
      triggers: ['last'],
      maxOpenOrders: expect.any(Number),
      maxConditionalOrders: expect.any(Number),
    },
  })
})
