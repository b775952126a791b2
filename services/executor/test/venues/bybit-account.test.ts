import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type BybitRig, buildBybitRig, place, planOf } from './bybit-rig.ts'

let rig: BybitRig
beforeAll(async () => {
  rig = await buildBybitRig()
})
afterAll(async () => await rig.stop())

describe('the markets', () => {
  test('of linear are those that the venue reports', () => {
    expect(rig.linear.market('BTCUSDT')).toMatchObject({
      symbol: 'BTCUSDT',
      kind: 'linear',
      base: 'BTC',
      quote: 'USDT',
      isTrading: true,
      quantityStep: '0.001',
      minNotional: '5',
      maxLeverage: '100',
      features: { conditional: true, hedge: true, triggers: ['last', 'mark', 'index'] },
    })
    expect(rig.linear.symbols()).toContain('ETHUSDT')
    expect(rig.linear.market('NOPEUSDT')).toBeUndefined()
  })

  test('of spot are those that the venue reports', () => {
    expect(rig.spot.market('BTCUSDT')).toMatchObject({
      kind: 'spot',
      quantityStep: '0.000001',
      priceTick: '0.1',
      maxLeverage: undefined,
      features: { reduceOnly: false, hedge: false, triggers: ['last'] },
    })
  })
})

describe('a reading', () => {
  test('of linear has balance, position, settings and prices', async () => {
    const { linear } = await rig.another({ USDT: '10000' })
    await place(linear, planOf({ side: 'sell' }))
    expect(await linear.read('BTCUSDT')).toMatchObject({
      outcome: 'read',
      account: {
        coin: 'USDT',
        position: '-0.01',
        entryPrice: '59999.5',
        settings: { marginMode: 'cross', positionMode: 'oneWay' },
        bid: '59999.5',
        ask: '60000.5',
        mark: '60000',
      },
    })
  })

  test('of a flat account says so', async () => {
    const { linear } = await rig.another({ USDT: '10000' })
    expect(await linear.read('BTCUSDT')).toMatchObject({
      account: { equity: '10000', available: '10000', position: '0', entryPrice: null, unrealizedPnl: '0' },
    })
  })

  test('in hedge mode reports both sides', async () => {
    const { linear } = await rig.another()
    await linear.changeSettings('BTCUSDT', { positionMode: 'hedge' })
    await place(linear, planOf({ positionSide: 'long', quantity: '0.03' }))
    await place(linear, planOf({ positionSide: 'short', side: 'sell' }))
    expect(await linear.read('BTCUSDT')).toMatchObject({
      account: {
        position: '0.02',
        entryPrice: null,
        hedged: { long: { quantity: '0.03' }, short: { quantity: '-0.01' } },
        settings: { positionMode: 'hedge' },
      },
    })
    const close = planOf({ positionSide: 'short', side: 'buy', reduceOnly: true })
    expect(await place(linear, close)).toMatchObject({ status: 'filled' })
  })

  // The rows of another position mode report nothing of what was filled before: waiting for that took 20 s.
  test('behind a change of the position mode waits for no fill that came before it', async () => {
    const { linear } = await rig.another({ USDT: '10000' })
    await place(linear, planOf({ side: 'buy' }))
    await place(linear, planOf({ side: 'sell', reduceOnly: true }))
    await linear.changeSettings('BTCUSDT', { positionMode: 'hedge' })
    expect(await linear.read('BTCUSDT')).toMatchObject({
      account: { position: '0', settings: { positionMode: 'hedge' } },
    })
  }, 15_000)

  test('of spot takes the coins of the base for the position', async () => {
    const { spot } = await rig.another({ USDT: '1000', BTC: '0.5' })
    await place(spot, planOf({ type: 'limit', side: 'sell', price: '61000', quantity: '0.2' }))
    expect(await spot.read('BTCUSDT')).toMatchObject({
      account: {
        position: '0.5',
        entryPrice: null,
        available: '1000',
        holdings: expect.arrayContaining([{ coin: 'BTC', total: '0.5', free: '0.3' }]),
        settings: null,
      },
    })
  })
})

describe('settings', () => {
  test('are changed once, and unchanged when they are so already', async () => {
    const { linear } = await rig.another()
    const change = { leverage: '7', marginMode: 'isolated', positionMode: 'hedge' } as const
    expect(await linear.changeSettings('BTCUSDT', change)).toMatchObject({ outcome: 'changed' })
    expect(await linear.read('BTCUSDT')).toMatchObject({ account: { settings: change } })
    expect(await linear.changeSettings('BTCUSDT', change)).toMatchObject({
      outcome: 'unchanged',
      note: expect.stringContaining('whole account'),
    })
  })

  test('are refused with the words of the venue', async () => {
    const { linear } = await rig.another()
    await place(linear, planOf())
    expect(await linear.changeSettings('BTCUSDT', { positionMode: 'hedge' })).toMatchObject({
      outcome: 'refused',
      error: expect.stringContaining('110024'),
    })
    expect(await linear.changeSettings('BTCUSDT', { leverage: '500' })).toMatchObject({
      outcome: 'refused',
      code: 'E310',
    })
  })

  test('are unknown where the answer is lost', async () => {
    const { linear } = await rig.another()
    await rig.paper.addFault({
      match: { path: '/v5/position/set-leverage' },
      action: 'accept-then-drop',
      count: 1,
    })
    expect(await linear.changeSettings('BTCUSDT', { leverage: '9' })).toMatchObject({ outcome: 'unknown' })
    expect(await linear.changeSettings('BTCUSDT', { leverage: '9' })).toMatchObject({ outcome: 'unchanged' })
  })

  test('are not there on spot', async () => {
    expect(await rig.spot.changeSettings('BTCUSDT', { leverage: '2' })).toMatchObject({ code: 'E404' })
  })
})
