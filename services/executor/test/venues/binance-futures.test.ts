import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { paperExchange, type TestPaper } from '@tripline/testkit/paper-exchange'
import { waitFor } from '@tripline/testkit/wait-for'
import type { OrderPlan } from '../../src/domain/order/order.ts'
import { newId, openTrader, refOf, type Trader } from './binance-rig.ts'

let paper: TestPaper
let trader: Trader
beforeAll(async () => {
  // A look-up right after a change is compared with it: reads show it at once.
  paper = await paperExchange({ PAPER_READ_LAG_MS: '0' })
})
beforeEach(async () => {
  await paper.pinPrices('BTCUSDT', at('60000'))
  trader = await openTrader(paper, 'futures')
})
afterEach(async () => {
  await paper.clearFaults()
  await trader.close()
})
afterAll(async () => await paper.stop())

const at = (price: string) => ({ bid: price, ask: price, last: price, mark: price, index: price })
const symbol = 'BTCUSDT'

/** Every kind of order that rests, for a long position. */
const resting: [string, Partial<OrderPlan>][] = [
  ['limit', { type: 'limit', price: '59000', timeInForce: 'gtc' }],
  ['limit', { type: 'limit', price: '59000', timeInForce: 'postOnly' }],
  ['stop', { type: 'stop', side: 'sell', triggerPrice: '58000', trigger: 'mark', reduceOnly: true }],
  ['stop', { type: 'stop', triggerPrice: '62000', trigger: 'last' }],
  [
    'stopLimit',
    {
      type: 'stopLimit',
      side: 'sell',
      triggerPrice: '58000',
      price: '57900',
      timeInForce: 'gtc',
      trigger: 'last',
    },
  ],
  [
    'takeProfit',
    { type: 'takeProfit', side: 'sell', triggerPrice: '62000', trigger: 'mark', reduceOnly: true },
  ],
  [
    'takeProfitLimit',
    {
      type: 'takeProfitLimit',
      side: 'sell',
      triggerPrice: '62000',
      price: '62000',
      timeInForce: 'gtc',
      trigger: 'last',
    },
  ],
]

describe('an order that rests', () => {
  test.each(resting)(
    'of type %s is placed, found, listed, canceled once, and gone then',
    async (type, plan) => {
      const { venue } = trader
      await trader.placed({ quantity: '0.050' })
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
        isConditional,
        reduceOnly: plan.reduceOnly ?? false,
      }
      expect(placed).toMatchObject(seen)
      expect(placed.updatedAt).toBeGreaterThan(1.6e12)
      const { price = null, triggerPrice = null } = plan
      expect(placed).toMatchObject({ price, triggerPrice })
      const ref = { ...refOf({ clientOrderId, type: placed.type as OrderPlan['type'] }) }
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
    for (const type of ['limit', 'stop'] as const) {
      const ref = refOf({ clientOrderId: newId(), type })
      expect(await trader.venue.lookUp(ref)).toEqual({ outcome: 'absent' })
      expect(await trader.venue.cancel(ref)).toEqual({ outcome: 'gone', order: undefined })
    }
  })
})

describe('an order that fills', () => {
  test('reports its price at once, and its fee when it is looked up', async () => {
    const clientOrderId = newId()
    const order = await trader.placed({ clientOrderId })
    expect(order).toMatchObject({ type: 'market', status: 'filled', filled: '0.01', price: null })
    expect(order.averagePrice).toBe('60000')
    const found = await trader.venue.lookUp(refOf({ clientOrderId, type: 'market' }))
    expect(found).toMatchObject({ outcome: 'found', order: { status: 'filled', fee: { coin: 'USDT' } } })
  })

  test('costs BNB where the account pays so', async () => {
    const owner = await openTrader(paper, 'futures', { balances: { USDT: '100000', BNB: '1' } })
    const clientOrderId = newId()
    await owner.placed({ clientOrderId })
    expect(await owner.venue.lookUp(refOf({ clientOrderId, type: 'market' }))).toMatchObject({
      order: { status: 'filled', filled: '0.01', fee: { coin: 'BNB' } },
    })
    await owner.close()
  })

  test.each(['ioc', 'fok'] as const)(
    'now or never (%s) ends without a fill where nothing is to be had',
    async (timeInForce) => {
      const plan = { type: 'limit', price: '59000', timeInForce } as const
      const placement = await trader.place(plan)
      if (placement.outcome === 'done')
        expect(placement.order).toMatchObject({ status: 'expired', filled: '0' })
      else expect(placement).toMatchObject({ outcome: 'refused', code: 'E601' })
    },
  )
})

describe('an order that is triggered', () => {
  test('shows as the order it became, under the id it was placed with', async () => {
    await trader.placed({ quantity: '0.050' })
    const clientOrderId = newId()
    const { venueOrderId } = await trader.placed({
      clientOrderId,
      type: 'stop',
      side: 'sell',
      triggerPrice: '58000',
      trigger: 'mark',
      reduceOnly: true,
    })
    await paper.pinPrices(symbol, at('57900'))
    const ref = refOf({ clientOrderId, type: 'stop' })
    expect(await trader.venue.lookUp(ref)).toMatchObject({
      outcome: 'found',
      order: {
        venueOrderId,
        clientOrderId,
        type: 'stop',
        status: 'filled',
        filled: '0.01',
        fee: { coin: 'USDT' },
      },
    })
    expect(await trader.venue.cancel(ref)).toMatchObject({ outcome: 'gone', order: { status: 'filled' } })
  })

  test('and rests as a limit is listed once, and canceled as the order it became', async () => {
    await trader.placed({ quantity: '0.050' })
    const clientOrderId = newId()
    await trader.placed({
      clientOrderId,
      type: 'stopLimit',
      side: 'sell',
      triggerPrice: '58000',
      price: '59500',
      timeInForce: 'gtc',
      trigger: 'last',
    })
    await paper.pinPrices(symbol, at('57900'))
    const ref = refOf({ clientOrderId, type: 'stopLimit' })
    expect(await trader.venue.lookUp(ref)).toMatchObject({ outcome: 'found', order: { status: 'open' } })
    expect(await trader.venue.openOrders(symbol)).toMatchObject({
      orders: [{ clientOrderId, status: 'open' }],
    })
    expect(await trader.venue.cancel(ref)).toMatchObject({
      outcome: 'canceled',
      order: { clientOrderId, type: 'stopLimit', status: 'canceled' },
    })
    expect(await trader.venue.openOrders(symbol)).toMatchObject({ orders: [] })
  })
})

describe('settings', () => {
  const oneWay = { leverage: '20', marginMode: 'cross', positionMode: 'oneWay' }

  test('are read with the account, and changed', async () => {
    const { venue } = trader
    expect(await venue.read(symbol)).toMatchObject({ outcome: 'read', account: { settings: oneWay } })
    expect(await venue.changeSettings(symbol, { leverage: '7' })).toEqual({
      outcome: 'changed',
      note: 'leverage set to 7',
    })
    expect(
      await venue.changeSettings(symbol, { leverage: '7', marginMode: 'isolated', positionMode: 'hedge' }),
    ).toEqual({
      outcome: 'changed',
      note: 'position mode set to hedge, margin mode set to isolated, leverage is 7 already',
    })
    const changed = { leverage: '7', marginMode: 'isolated', positionMode: 'hedge' } as const
    expect(await venue.read(symbol)).toMatchObject({ account: { settings: changed } })
    expect(await venue.changeSettings(symbol, changed)).toMatchObject({ outcome: 'unchanged' })
  })

  test('that the venue does not have are refused', async () => {
    expect(await trader.venue.changeSettings(symbol, { leverage: '126' })).toMatchObject({
      outcome: 'refused',
      code: 'E310',
    })
  })

  test('cannot change the position mode while there are positions', async () => {
    await trader.placed({})
    expect(await trader.venue.changeSettings(symbol, { positionMode: 'hedge' })).toMatchObject({
      outcome: 'refused',
      code: 'E405',
    })
  })

  test('are unknown after a change that is not answered', async () => {
    await paper.addFault({ match: { path: '/fapi/v1/marginType' }, action: 'accept-then-drop', count: 1 })
    expect(await trader.venue.changeSettings(symbol, { marginMode: 'isolated' })).toMatchObject({
      outcome: 'unknown',
    })
  })
})

describe('hedge mode', () => {
  beforeEach(async () => {
    await trader.venue.changeSettings(symbol, { positionMode: 'hedge' })
  })

  test('holds both sides, and closes by side without reduceOnly', async () => {
    await trader.placed({ positionSide: 'long', quantity: '0.030' })
    await trader.placed({ positionSide: 'short', side: 'sell', quantity: '0.020' })
    expect(await trader.venue.read(symbol)).toMatchObject({
      account: {
        position: '0.01',
        hedged: { long: { quantity: '0.03' }, short: { quantity: '-0.02' } },
      },
    })
    const stop = await trader.placed({
      type: 'stop',
      positionSide: 'long',
      side: 'sell',
      triggerPrice: '58000',
      trigger: 'mark',
      reduceOnly: true,
    })
    expect(stop).toMatchObject({ reduceOnly: true, status: 'untriggered' })
    expect(
      await trader.placed({ positionSide: 'short', side: 'buy', quantity: '0.020', reduceOnly: true }),
    ).toMatchObject({ status: 'filled', reduceOnly: true })
    expect(await trader.venue.read(symbol)).toMatchObject({
      account: { hedged: { long: { quantity: '0.03' }, short: { quantity: '0', entryPrice: null } } },
    })
  })

  test('refuses orders that name no side', async () => {
    expect(await trader.place({})).toMatchObject({ outcome: 'refused', code: 'E405' })
  })
})

describe('the venue reports of a market', () => {
  test('with its abilities, and its highest leverage', async () => {
    await waitFor(() => trader.venue.market(symbol)?.maxLeverage)
    expect(trader.venue.market(symbol)).toMatchObject({
      kind: 'linear',
      maxLeverage: expect.stringMatching(/^\d+$/),
      features: {
        nativeOco: false,
        conditional: true,
        reduceOnly: true,
        hedge: true,
        leverage: true,
        triggers: ['last', 'mark'],
        maxOpenOrders: expect.any(Number),
        maxConditionalOrders: 200,
      },
    })
  })
})
