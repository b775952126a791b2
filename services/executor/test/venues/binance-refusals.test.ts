import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { paperExchange, type TestPaper } from '@tripline/testkit/paper-exchange'
import type { OrderPlan } from '../../src/domain/order/order.ts'
import { newId, openTrader, planOf, refOf, type Trader } from './binance-rig.ts'

let paper: TestPaper
let futures: Trader
let spot: Trader
beforeAll(async () => {
  // A look-up right after a change is compared with it: reads show it at once.
  paper = await paperExchange({ PAPER_READ_LAG_MS: '0' })
  await paper.pinPrices('BTCUSDT', { bid: '60000', ask: '60000', last: '60000', mark: '60000' })
  futures = await openTrader(paper, 'futures')
  spot = await openTrader(paper, 'spot')
})
afterEach(async () => await paper.clearFaults())
afterAll(async () => {
  await Promise.all([futures.close(), spot.close()])
  await paper.stop()
})

const symbol = 'BTCUSDT'

const futuresCodes: [number, string][] = [
  [-1002, 'E406'],
  [-1008, 'E603'],
  [-1022, 'E406'],
  [-1102, 'E601'],
  [-1111, 'E601'],
  [-1121, 'E401'],
  [-2014, 'E406'],
  [-2015, 'E406'],
  [-2018, 'E506'],
  [-2019, 'E506'],
  [-2021, 'E507'],
  [-2022, 'E510'],
  [-2025, 'E513'],
  [-2027, 'E503'],
  [-2028, 'E506'],
  [-4001, 'E508'],
  [-4002, 'E508'],
  [-4003, 'E501'],
  [-4004, 'E502'],
  [-4005, 'E503'],
  [-4006, 'E508'],
  [-4013, 'E508'],
  [-4014, 'E508'],
  [-4016, 'E508'],
  [-4023, 'E502'],
  [-4024, 'E508'],
  [-4045, 'E513'],
  [-4047, 'E405'],
  [-4048, 'E405'],
  [-4061, 'E405'],
  [-4105, 'E402'],
  [-4106, 'E402'],
  [-4107, 'E402'],
  [-4108, 'E402'],
  [-4109, 'E406'],
  [-4112, 'E510'],
  [-4118, 'E510'],
  [-4120, 'E404'],
  [-4130, 'E513'],
  [-4131, 'E508'],
  [-4140, 'E402'],
  [-4141, 'E402'],
  [-4142, 'E507'],
  [-4164, 'E504'],
  [-4168, 'E405'],
  [-4183, 'E508'],
  [-4184, 'E508'],
  [-4192, 'E406'],
  [-4210, 'E508'],
  [-4211, 'E508'],
  [-4189, 'E406'],
  [-4202, 'E310'],
  [-4203, 'E310'],
  [-4205, 'E310'],
  [-4206, 'E310'],
  [-4208, 'E310'],
  [-4209, 'E310'],
  [-4400, 'E603'],
  [-4401, 'E406'],
  [-4402, 'E406'],
  [-4403, 'E310'],
  [-4408, 'E406'],
  [-4531, 'E405'],
  [-5021, 'E601'],
  [-5022, 'E509'],
]

const spotWords: [number, string, string][] = [
  [-1034, 'Too many concurrent connections.', 'E603'],
  [-1013, 'Filter failure: LOT_SIZE', 'E502'],
  [-1013, 'Filter failure: MARKET_LOT_SIZE', 'E503'],
  [-1013, 'Filter failure: NOTIONAL', 'E504'],
  [-1013, 'Filter failure: MIN_NOTIONAL', 'E504'],
  [-1013, 'Filter failure: PRICE_FILTER', 'E508'],
  [-1013, 'Filter failure: PERCENT_PRICE_BY_SIDE', 'E508'],
  [-1013, 'Invalid quantity.', 'E501'],
  [-1013, 'Invalid price.', 'E508'],
  [-1013, 'Market is closed.', 'E402'],
  [-1022, 'Signature for this request is not valid.', 'E406'],
  [-1121, 'Invalid symbol.', 'E401'],
  [-1158, 'Order type not supported in OCO.', 'E404'],
  [-1165, 'A limit order in a buy OCO must be below.', 'E511'],
  [-1166, 'A limit order in a sell OCO must be above.', 'E511'],
  [-1168, 'At least one OCO order must be contingent.', 'E511'],
  [-1196, 'A stop loss order in a buy OCO must be above.', 'E511'],
  [-1199, 'A take profit order in a sell OCO must be above.', 'E511'],
  [-2010, 'Account has insufficient balance for requested action.', 'E506'],
  [-2010, 'Order would immediately match and take.', 'E509'],
  [-2010, 'Stop price would trigger immediately.', 'E507'],
  [-2010, 'Order would trigger immediately.', 'E507'],
  [-2010, 'The relationship of the prices for the orders is not correct.', 'E511'],
  [-2010, 'Filter failure: MAX_NUM_ALGO_ORDERS', 'E513'],
  [-2010, 'Filter failure: MAX_POSITION', 'E503'],
  [-2010, 'This symbol is not permitted for this account.', 'E406'],
  [-2010, 'This action is disabled on this account.', 'E406'],
  [-2010, 'This symbol is restricted for this account.', 'E406'],
  [-2010, 'This account may not place or cancel orders.', 'E406'],
  [-2010, 'Stop loss orders are not supported for this symbol.', 'E404'],
  [-2010, 'Quote order qty market orders are not support for this symbol.', 'E404'],
  [-2014, 'API-key format invalid.', 'E406'],
  [-2015, 'Invalid API-key, IP, or permissions for action.', 'E406'],
  // On spot these two report replacements, not of triggers and positions.
  [-2021, 'Order cancel-replace partially failed.', 'E601'],
  [-2022, 'Order cancel-replace failed.', 'E601'],
]

describe('a refusal', () => {
  test.each(futuresCodes)('of futures with code %i is %s', async (code, ours) => {
    await paper.addFault({
      match: { path: '/fapi/v1/order' },
      action: 'reject',
      code,
      message: 'no',
      count: 1,
    })
    expect(await futures.place({})).toEqual({
      outcome: 'refused',
      code: ours,
      error: `The exchange refused: no (${code})`,
    })
  })

  test.each(spotWords)('of spot with code %i (%s) is %s', async (code, message, ours) => {
    await paper.addFault({ match: { path: '/api/v3/order' }, action: 'reject', code, message, count: 1 })
    expect(await spot.place({})).toEqual({
      outcome: 'refused',
      code: ours,
      error: `The exchange refused: ${message} (${code})`,
    })
  })

  test('of a conditional order is reported by the same codes', async () => {
    const plan = { type: 'stop', triggerPrice: '59000.0', trigger: 'mark' } as const
    expect(await futures.place(plan)).toMatchObject({ outcome: 'refused', code: 'E507' })
  })

  test.each([-1003, -1015])('for the sake of limits (%i) is E603', async (code) => {
    for (const kind of ['futures', 'spot'] as const) {
      const trader = await openTrader(paper, kind)
      const match = { method: 'POST', apiKey: trader.apiKey }
      await paper.addFault({ match, action: 'reject', code, count: 1 })
      expect(await trader.place({})).toMatchObject({ outcome: 'refused', code: 'E603' })
      await trader.close()
    }
  })

  test('at the door needs no word of the venue', async () => {
    const trader = await openTrader(paper, 'futures')
    await paper.addFault({
      match: { path: '/fapi/v1/order', apiKey: trader.apiKey },
      action: 'status',
      status: 403,
      count: 1,
    })
    expect(await trader.place({})).toMatchObject({ outcome: 'refused', code: 'E603' })
    await trader.close()
  })
})

describe('the venue’s own refusals', () => {
  const cases: [string, 'futures' | 'spot', Partial<OrderPlan>, string][] = [
    ['too little margin', 'futures', { quantity: '40.000' }, 'E506'],
    ['a reduceOnly without a position', 'futures', { side: 'sell', reduceOnly: true }, 'E510'],
    ['a value below the least', 'futures', { quantity: '0.001' }, 'E504'],
    ['a price outside of the band', 'futures', { type: 'limit', price: '90000.0' }, 'E508'],
    [
      'post-only that would take',
      'futures',
      { type: 'limit', price: '61000.0', timeInForce: 'postOnly' },
      'E509',
    ],
    ['too little balance', 'spot', { quantity: '5.00000' }, 'E506'],
    ['a value below the least', 'spot', { quantity: '0.00001' }, 'E504'],
    ['post-only that would take', 'spot', { type: 'limit', price: '61000', timeInForce: 'postOnly' }, 'E509'],
    ['a stop that triggers at once', 'spot', { type: 'stop', triggerPrice: '59000' }, 'E507'],
  ]

  test.each(cases)('%s (%s)', async (_name, kind, plan, code) => {
    const trader = kind === 'futures' ? futures : spot
    const placement = await trader.place(plan)
    expect(placement).toMatchObject({ outcome: 'refused', code })
  })
})

describe('an order whose fate the venue does not report is unknown', () => {
  const unsure: [string, object, boolean][] = [
    ['no answer', { action: 'accept-then-drop' }, true],
    ['a lost request', { action: 'drop' }, false],
    ['status 500', { action: 'accept-then-status', status: 500 }, true],
    ['status 502', { action: 'status', status: 502 }, false],
    ['status 503', { action: 'accept-then-status', status: 503 }, true],
    ['status 504', { action: 'accept-then-status', status: 504 }, true],
    ['a body that stalls', { action: 'stall-body', ms: 6000 }, true],
    ['code -1000', { action: 'reject', code: -1000 }, false],
    ['code -1001', { action: 'reject', code: -1001 }, false],
    ['code -1006', { action: 'reject', code: -1006 }, false],
    ['code -1007', { action: 'reject', code: -1007 }, false],
  ]

  test.each(unsure)(
    'after %s',
    async (_name, fault, isThere) => {
      for (const [trader, path] of [
        [futures, '/fapi/v1/order'],
        [spot, '/api/v3/order'],
      ] as const) {
        const plan = planOf({ quantity: '0.01' })
        await paper.addFault({ match: { method: 'POST', path }, count: 1, ...fault })
        expect(await trader.place(plan)).toMatchObject({ outcome: 'unknown' })
        expect((await trader.venue.lookUp(refOf(plan))).outcome).toBe(isThere ? 'found' : 'absent')
      }
    },
    20_000,
  )

  test('where spot says that it is overloaded, which futures say of orders that were not taken', async () => {
    await paper.addFault({ match: { path: '/api/v3/order' }, action: 'reject', code: -1008, count: 1 })
    expect(await spot.place({})).toMatchObject({ outcome: 'unknown' })
    await paper.addFault({ match: { path: '/fapi/v1/order' }, action: 'reject', code: -1008, count: 1 })
    expect(await futures.place({})).toMatchObject({ outcome: 'refused', code: 'E603' })
  })

  test('where futures say that an order of its name is being triggered', async () => {
    await paper.addFault({ match: { path: '/fapi/v1/order' }, action: 'reject', code: -4117, count: 1 })
    expect(await futures.place({})).toMatchObject({ outcome: 'unknown', isThere: true })
  })

  test('where one of its name is open', async () => {
    const clientOrderId = newId()
    const limit = { clientOrderId, type: 'limit', price: '59000', timeInForce: 'gtc' } as const
    const stop = {
      clientOrderId,
      type: 'stop',
      side: 'sell',
      triggerPrice: '58000',
      trigger: 'last',
    } as const
    for (const trader of [futures, spot]) {
      await trader.placed(limit)
      expect(await trader.place(limit)).toMatchObject({ outcome: 'unknown' })
    }
    await futures.placed(stop)
    expect(await futures.place(stop)).toMatchObject({ outcome: 'unknown' })
    for (const trader of [futures, spot])
      expect(await trader.venue.cancel(refOf(limit))).toMatchObject({ outcome: 'canceled' })
    expect(await futures.venue.cancel(refOf(stop))).toMatchObject({ outcome: 'canceled' })
  })
})

test('an order is withheld where it may not be placed when it is signed', async () => {
  const trader = await openTrader(paper, 'spot')
  trader.withhold()
  const plan = planOf({})
  expect(await trader.venue.place(plan, () => undefined)).toEqual({ outcome: 'withheld' })
  expect(await trader.venue.lookUp(refOf(plan))).toEqual({ outcome: 'absent' })
  await trader.close()
})

describe('a cancel', () => {
  test('that is not answered is unknown, and the order can be asked for', async () => {
    for (const [trader, path] of [
      [futures, '/fapi/v1/order'],
      [spot, '/api/v3/order'],
    ] as const) {
      const limit = { clientOrderId: newId(), type: 'limit', price: '59000', timeInForce: 'gtc' } as const
      await trader.placed(limit)
      await paper.addFault({ match: { method: 'DELETE', path }, action: 'accept-then-drop', count: 1 })
      expect(await trader.venue.cancel(refOf(limit))).toMatchObject({ outcome: 'unknown' })
      expect(await trader.venue.cancel(refOf(limit))).toMatchObject({
        outcome: 'gone',
        order: { status: 'canceled' },
      })
    }
  })

  test('of an order that was filled meanwhile reports how it ended', async () => {
    const limit = { clientOrderId: newId(), type: 'limit', price: '59000', timeInForce: 'gtc' } as const
    for (const trader of [futures, spot]) await trader.placed(limit)
    await paper.pinPrices(symbol, { bid: '58900', ask: '58900', last: '58900', mark: '58900' })
    for (const trader of [futures, spot])
      expect(await trader.venue.cancel(refOf(limit))).toMatchObject({
        outcome: 'gone',
        order: { status: 'filled' },
      })
    await paper.pinPrices(symbol, { bid: '60000', ask: '60000', last: '60000', mark: '60000' })
  })
})

describe('a venue that cannot be asked', () => {
  test('is unreachable, and one that says no has refused', async () => {
    for (const [trader, base] of [
      [futures, '/fapi/'],
      [spot, '/api/'],
    ] as const) {
      const ask = async () => [
        await trader.venue.read(symbol),
        await trader.venue.openOrders(symbol),
        await trader.venue.lookUp(refOf(planOf({}))),
      ]
      const fault = await paper.armFault({ match: { path: base }, action: 'drop' })
      for (const answer of await ask()) expect(answer).toMatchObject({ outcome: 'unreachable' })
      await paper.removeFault(fault)
      await paper.addFault({ match: { path: base }, action: 'reject', code: -2015, message: 'no' })
      const [reading, open, found] = await ask()
      for (const answer of [reading, open]) expect(answer).toMatchObject({ outcome: 'refused', code: 'E406' })
      expect(found).toEqual({ outcome: 'unreachable', cause: 'no (-2015)' })
      await paper.clearFaults()
    }
  })
})

describe('row 21: a clock that differs from the venue’s', () => {
  test('is measured anew, and the order signed anew, once', async () => {
    for (const [kind, path] of [
      ['futures', '/fapi/'],
      ['spot', '/api/'],
    ] as const) {
      const trader = await openTrader(paper, kind)
      await paper.addFault({ match: { path }, action: 'clock-skew', ms: 60_000 })
      let sent = 0
      const plan = planOf({ quantity: '0.01' })
      const placement = await trader.venue.place(plan, () => void sent++)
      expect(placement).toMatchObject({ outcome: 'done', order: { status: 'filled' } })
      expect(sent).toBe(1)
      const tried = (await paper.journal()).filter((entry) => entry.clientOrderId === plan.clientOrderId)
      expect(tried.map(({ outcome }) => outcome)).toEqual(['rejected', 'accepted'])
      expect(await trader.venue.read(symbol)).toMatchObject({ outcome: 'read' })
      await paper.clearFaults()
      // It is measured by reads as well.
      expect(await trader.venue.read(symbol)).toMatchObject({ outcome: 'read' })
      await trader.close()
    }
  })

  test('that stays so is a refusal', async () => {
    await paper.addFault({ match: { path: '/fapi/v1/order' }, action: 'clock-skew', ms: 60_000 })
    expect(await futures.place({})).toMatchObject({
      outcome: 'refused',
      error: expect.stringContaining('-1021'),
    })
  })
})
